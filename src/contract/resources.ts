import * as z from 'zod'
import type { ResourceName } from './operations.ts'

/**
 * The resources of the service's API. Which fields are always there, and which
 * values the open lists have, is not stated (A14): every field is optional, and
 * fields and values that are not listed here are kept.
 *
 * @see docs/contract.md#api
 */

const text = z.string().optional()
const flag = z.boolean().optional()
const reference = z.looseObject({ id: text }).optional()
const person = z.looseObject({ email: text, id: text })

/** A task. The contract lists no `status` among its fields. */
export const taskSchema = z.looseObject({
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

/** A field of a ticket form. */
export const ticketFormFieldSchema = z.looseObject({
  name: text,
  slug: text,
  description_html: text,
  type: text,
})

/** A ticket form. */
export const ticketFormSchema = z.looseObject({
  id: text,
  name: text,
  slug: text,
  description_html: text,
  is_public: flag,
  url: text,
  fields: z.array(ticketFormFieldSchema).optional(),
})

/** A message of an issue. */
export const messageSchema = z.looseObject({
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

/** A user. */
export const userSchema = z.looseObject({
  id: text,
  name: text,
  email: text,
  emails: z.array(z.string()).optional(),
  avatar_url: text,
  role_id: text,
  status: text,
})

/** A knowledge base. */
export const knowledgeBaseSchema = z.looseObject({
  id: text,
  slug: text,
  title: text,
  default_language: text,
  supported_languages: z.array(z.string()).optional(),
})

/** A team, with the users in it. */
export const teamSchema = z.looseObject({
  id: text,
  name: text,
  users: z.array(z.looseObject({ id: text, email: text })).optional(),
})

/** A tag. */
export const tagSchema = z.looseObject({
  id: text,
  value: text,
  hex_color: text,
  object_type: text,
})

/** A role that users can have. */
export const userRoleSchema = z.looseObject({ id: text, name: text, slug: text })

/** Where a list stands. */
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

/** The envelope of one object. */
export const singleEnvelope = <Schema extends z.ZodType>(data: Schema) =>
  z.looseObject({ data, request_id: text })

/** The envelope of a list. */
export const listEnvelope = <Schema extends z.ZodType>(item: Schema) =>
  z.looseObject({ data: z.array(item), pagination: paginationSchema.optional(), request_id: text })

/** A task. */
export type Task = z.infer<typeof taskSchema>
/** A field of a ticket form. */
export type TicketFormField = z.infer<typeof ticketFormFieldSchema>
/** A ticket form, with its fields. */
export type TicketForm = z.infer<typeof ticketFormSchema>
/** A message of an issue. */
export type Message = z.infer<typeof messageSchema>
/** A user of the service. */
export type User = z.infer<typeof userSchema>
/** A knowledge base. */
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>
/** A team, with the users in it. */
export type Team = z.infer<typeof teamSchema>
/** A tag. */
export type Tag = z.infer<typeof tagSchema>
/** A role that users can have. */
export type UserRole = z.infer<typeof userRoleSchema>
/** Where a list stands: its cursor, and whether there is more. */
export type Pagination = z.infer<typeof paginationSchema>
