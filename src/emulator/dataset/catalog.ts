import type { Dataset } from './dataset.ts'

/** Tags, roles, knowledge bases and ticket forms. */
export const CATALOG: Pick<Dataset, 'tags' | 'userRoles' | 'knowledgeBases' | 'ticketForms'> = {
  tags: [
    { id: 'tag_billing', value: 'billing', hex_color: '#2f6fed', object_type: 'issue' },
    { id: 'tag_urgent', value: 'urgent', hex_color: '#d1343b', object_type: 'issue' },
    { id: 'tag_api', value: 'API', hex_color: '#7a4fd0', object_type: 'issue' },
    { id: 'tag_renewal', value: 'renewal 2027', hex_color: '#1f8a5b', object_type: 'account' },
    { id: 'tag_vip', value: '⭐ VIP', hex_color: '#c77700', object_type: 'account' },
  ],
  userRoles: [
    { id: 'role_admin', name: 'Admin', slug: 'admin' },
    { id: 'role_lead', name: 'Team lead', slug: 'team-lead' },
    { id: 'role_agent', name: 'Agent', slug: 'agent' },
    { id: 'role_requester', name: 'Requester', slug: 'requester' },
  ],
  knowledgeBases: [
    {
      id: 'kb_help',
      slug: 'help',
      title: 'Help center',
      default_language: 'en',
      supported_languages: ['en', 'da', 'ja', 'ar'],
    },
    {
      id: 'kb_internal',
      slug: 'internal',
      title: 'Internal runbooks',
      default_language: 'en',
      supported_languages: ['en'],
    },
  ],
  ticketForms: [
    {
      id: 'form_contact',
      name: 'Contact us',
      slug: 'contact-us',
      description_html: '<p>Ask us <strong>anything</strong>.</p>',
      is_public: true,
      url: 'https://help.tidepool.example/forms/contact-us',
      fields: [
        { name: 'Subject', slug: 'subject', description_html: '', type: 'text' },
        {
          name: 'Order number',
          slug: 'order-number',
          description_html: '<p>It begins with <code>#</code>.</p>',
          type: 'text',
        },
        { name: 'Anlagen', slug: 'attachments', description_html: '', type: 'file' },
      ],
    },
    {
      id: 'form_refund',
      name: 'Request a refund',
      slug: 'refund',
      description_html: '',
      is_public: true,
      url: 'https://help.tidepool.example/forms/refund',
      fields: [
        { name: 'Amount', slug: 'amount', description_html: '', type: 'number' },
        { name: 'Reason', slug: 'reason', description_html: '', type: 'select' },
      ],
    },
    {
      id: 'form_escalation',
      name: 'Escalation (agents only)',
      slug: 'escalation',
      description_html: '<p>For the team lead on duty.</p>',
      is_public: false,
      url: 'https://help.tidepool.example/forms/escalation',
      fields: [],
    },
  ],
}
