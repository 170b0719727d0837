/**
 * The contract in code: schemas, types and validation of schema 1.0.0.
 *
 * @module
 */
export { isDateTime } from './date-time.ts'
export type { FieldKind, FieldSpec } from './field-spec.ts'
export type {
  Badge,
  BadgeItem,
  Button,
  Card,
  CardChild,
  Component,
  DateTime,
  Divider,
  Header,
  Link,
  Payload,
  Text,
} from './generated/types.ts'
export {
  BADGE_COLORS,
  type BadgeColor,
  CARD_CHILD_TYPES,
  COMPONENT_TYPES,
  PAYLOAD_OBJECTS,
  type PayloadObject,
} from './generated/vocabulary.ts'
export { PAYLOAD_ISSUE_CODES, type PayloadIssue, type PayloadIssueCode } from './issues.ts'
export {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from './parameters.ts'
export {
  badgeColorSchema,
  badgeItemSchema,
  badgeSchema,
  buttonSchema,
  cardChildSchema,
  cardSchema,
  componentSchema,
  dateTimeSchema,
  dividerSchema,
  headerSchema,
  linkSchema,
  payloadSchema,
  textSchema,
} from './payload.ts'
export {
  type FetchDataRequest,
  fetchDataRequestSchema,
  requestSchema,
  type VerifyRequest,
  verifyRequestSchema,
} from './requests.ts'
export {
  checkUri,
  DEFAULT_URI_SCHEMES,
  ICON_URI_SCHEMES,
  isIconUrl,
  isLink,
  isUri,
  type UriProblem,
} from './uri.ts'
export { validatePayload, type ValidationResult } from './validate.ts'
export type { Invalid, ValidateOptions } from './validation.ts'
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
