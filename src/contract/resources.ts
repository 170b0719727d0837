import * as z from 'zod'
import type { ResourceName } from './operations.ts'

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

/** The schema of a task. The contract lists no `status` among its fields. */
const taskSchema = z.looseObject({
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
})

/** The schema of a field of a ticket form. */
const ticketFormFieldSchema = z.looseObject({
  name: text,
  slug: text,
  description_html: text,
  type: text,
})

/** The schema of a ticket form. */
const ticketFormSchema = z.looseObject({
  id: text,
  name: text,
  slug: text,
  description_html: text,
  is_public: flag,
  url: text,
  fields: z.array(ticketFormFieldSchema).optional(),
})

/** The schema of a message of an issue. */
const messageSchema = z.looseObject({
  id: text,
  thread_id: text,
  timestamp: text,
  message_html: text,
  is_private: flag,
  source: text,
  file_urls: z.array(z.string()).optional(),
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
      to_emails: z.array(z.string()).optional(),
      cc_emails: z.array(z.string()).optional(),
      bcc_emails: z.array(z.string()).optional(),
    })
    .optional(),
})

/** The schema of a user. */
const userSchema = z.looseObject({
  id: text,
  name: text,
  email: text,
  emails: z.array(z.string()).optional(),
  avatar_url: text,
  role_id: text,
  status: text,
})

/** The schema of a knowledge base. */
const knowledgeBaseSchema = z.looseObject({
  id: text,
  slug: text,
  title: text,
  default_language: text,
  supported_languages: z.array(z.string()).optional(),
})

/** The schema of a team and its users. */
const teamSchema = z.looseObject({
  id: text,
  name: text,
  users: z.array(z.looseObject({ id: text, email: text })).optional(),
})

/** The schema of a tag. */
const tagSchema = z.looseObject({
  id: text,
  value: text,
  hex_color: text,
  object_type: text,
})

/** The schema of a user role. */
const userRoleSchema = z.looseObject({ id: text, name: text, slug: text })

/** The schema of the pagination of a list. */
export const paginationSchema = z.looseObject({ cursor: text, has_next_page: flag })

/** The schema of each resource. */
export const RESOURCE_SCHEMAS = {
  task: taskSchema,
  ticket_form: ticketFormSchema,
  message: messageSchema,
  user: userSchema,
  knowledge_base: knowledgeBaseSchema,
  team: teamSchema,
  tag: tagSchema,
  user_role: userRoleSchema,
} as const satisfies Record<ResourceName, z.ZodType>

/** The resources by name. */
export type Resources = {
  readonly [Name in ResourceName]: z.infer<(typeof RESOURCE_SCHEMAS)[Name]>
}
/** A task. */
export type Task = z.infer<typeof taskSchema>
/** A ticket form, with its fields. */
export type TicketForm = z.infer<typeof ticketFormSchema>
/** A message of an issue. */
export type Message = z.infer<typeof messageSchema>
/** A user of the service. */
export type User = z.infer<typeof userSchema>
/** A knowledge base. */
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>
/** A team and its users. */
export type Team = z.infer<typeof teamSchema>
/** A tag. */
export type Tag = z.infer<typeof tagSchema>
/** A user role. */
export type UserRole = z.infer<typeof userRoleSchema>
/** The pagination of a list: its cursor, and whether there is a next page. */
export type Pagination = z.infer<typeof paginationSchema>
