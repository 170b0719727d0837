/**
 * The contract in code: schemas, types and validation of schema 1.0.0.
 *
 * @module
 */
export { isDateTime } from './date-time.ts'
export {
  MAX_ISSUES,
  PAYLOAD_ISSUE_CODES,
  type PayloadIssue,
  type PayloadIssueCode,
} from './issues.ts'
export {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from './parameters.ts'
export {
  type Badge,
  type BadgeColor,
  badgeColorSchema,
  type BadgeItem,
  badgeItemSchema,
  badgeSchema,
  type Button,
  buttonSchema,
  type Card,
  type CardChild,
  cardChildSchema,
  cardSchema,
  type Component,
  componentSchema,
  type DateTime,
  dateTimeSchema,
  type Divider,
  dividerSchema,
  type Header,
  headerSchema,
  type Link,
  linkSchema,
  type Payload,
  payloadSchema,
  type Text,
  textSchema,
} from './payload.ts'
export {
  type FetchDataRequest,
  fetchDataRequestSchema,
  requestSchema,
  type VerifyRequest,
  verifyRequestSchema,
} from './requests.ts'
export { DEFAULT_URI_SCHEMES, isLink, isUri, uriFault, type UriFault } from './uri.ts'
export { validatePayload, type ValidateOptions, type ValidationResult } from './validate.ts'
export { SCHEMA_VERSION } from './version.ts'
export {
  type Operation,
  type OperationId,
  type OperationParameter,
  OPERATIONS,
  type ResourceName,
  TASK_STATUSES,
} from './operations.ts'
export {
  type KnowledgeBase,
  knowledgeBaseSchema,
  listEnvelope,
  type Message,
  messageSchema,
  type Pagination,
  paginationSchema,
  RESOURCE_SCHEMAS,
  singleEnvelope,
  type Tag,
  tagSchema,
  type Task,
  taskSchema,
  type Team,
  teamSchema,
  type TicketForm,
  type TicketFormField,
  ticketFormFieldSchema,
  ticketFormSchema,
  type User,
  type UserRole,
  userRoleSchema,
  userSchema,
} from './resources.ts'
