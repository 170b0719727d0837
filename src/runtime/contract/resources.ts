import * as z from 'zod'

/**
 * The resources of the service's API. The contract does not specify which fields
 * are always present, or which values the open lists have (A14): every field is
 * optional, and unknown fields and values are kept.
 *
 * @see docs/contract.md#api
 */

const text = z.string().optional()
const flag = z.boolean().optional()
const reference = z.looseObject({ id: text }).optional()
const person = z.looseObject({ email: text, id: text })

const texts = z.array(z.string()).optional()

/** The schema of each resource. */
export const RESOURCE_SCHEMAS = {
  /** The schema of a task. The contract lists no `status` among its fields. */
  task: z.looseObject({
    id: text,
    title: text,
    body_html: text,
    created_at: text,
    updated_at: text,
    due_date: text,
    customer_portal_visible: flag,
    account: reference,
    milestone: reference,
    project: reference,
    assignee: z.looseObject({ contact: person.optional(), user: person.optional() }).optional(),
  }),
  /** The schema of a ticket form. */
  ticket_form: z.looseObject({
    id: text,
    name: text,
    slug: text,
    description_html: text,
    is_public: flag,
    url: text,
    fields: z
      .array(
        z.looseObject({
          name: text,
          slug: text,
          description_html: text,
          type: text,
        }),
      )
      .optional(),
  }),
  /** The schema of a message of an issue. */
  message: z.looseObject({
    id: text,
    thread_id: text,
    timestamp: text,
    message_html: text,
    is_private: flag,
    source: text,
    file_urls: texts,
    author: z
      .looseObject({
        name: text,
        avatar_url: text,
        contact: person.optional(),
        user: person.optional(),
      })
      .optional(),
    email_info: z
      .looseObject({
        from_email: text,
        to_emails: texts,
        cc_emails: texts,
        bcc_emails: texts,
      })
      .optional(),
  }),
  /** The schema of a user. */
  user: z.looseObject({
    id: text,
    name: text,
    email: text,
    emails: texts,
    avatar_url: text,
    role_id: text,
    status: text,
  }),
  /** The schema of a knowledge base. */
  knowledge_base: z.looseObject({
    id: text,
    slug: text,
    title: text,
    default_language: text,
    supported_languages: texts,
  }),
  /** The schema of a team and its users. */
  team: z.looseObject({
    id: text,
    name: text,
    users: z.array(z.looseObject({ id: text, email: text })).optional(),
  }),
  /** The schema of a tag. */
  tag: z.looseObject({
    id: text,
    value: text,
    hex_color: text,
    object_type: text,
  }),
  /** The schema of a user role. */
  user_role: z.looseObject({ id: text, name: text, slug: text }),
}

/** The schema of the pagination of a list. */
export const paginationSchema = z.looseObject({ cursor: text, has_next_page: flag })

/** The name of a resource that an operation can return. */
export type ResourceName = keyof typeof RESOURCE_SCHEMAS

/** The resources by name. */
export type Resources = {
  readonly [Name in ResourceName]: z.infer<(typeof RESOURCE_SCHEMAS)[Name]>
}

/** A task. */
export type Task = Resources['task']
/** A ticket form, with its fields. */
export type TicketForm = Resources['ticket_form']
/** A message of an issue. */
export type Message = Resources['message']
/** A user of the service. */
export type User = Resources['user']
/** A knowledge base. */
export type KnowledgeBase = Resources['knowledge_base']
/** A team and its users. */
export type Team = Resources['team']
/** A tag. */
export type Tag = Resources['tag']
/** A user role. */
export type UserRole = Resources['user_role']
/** The pagination of a list: its cursor, and whether there is a next page. */
export type Pagination = z.infer<typeof paginationSchema>
