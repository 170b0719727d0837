import * as z from 'zod'
import {
  type Operation,
  type OperationParameter,
  OPERATIONS,
} from '../src/runtime/contract/operations.ts'
import { paginationSchema, RESOURCE_SCHEMAS } from '../src/runtime/contract/resources.ts'

/**
 * Returns the API as an OpenAPI 3.1 document, generated from the table of
 * operations and the schemas of the resources. Assumptions have `x-assumption`
 * with their ID.
 *
 * @see docs/assumptions.md
 */
export function createOpenApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Support issue service: API',
      version: '1.0.0',
      description:
        'The eight operations that the service documents. x-assumption marks everything that its documentation does not specify, with the ID of Sidecard’s assumption.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The base URL of the service, or of the emulator.' }],
    security: [{ bearer: [] }],
    tags: Object.values(OPERATIONS).map((operation) => ({
      name: findTag(operation),
      description: operation.summary,
    })),
    paths: createPaths(OPERATIONS),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(
          Object.entries(RESOURCE_SCHEMAS).map(([name, schema]) => [
            toComponentName(name),
            toJsonSchema(schema),
          ]),
        ),
        Pagination: toJsonSchema(paginationSchema),
        Error: ERROR,
      },
      responses: {
        Error: {
          description: 'The call failed. The contract does not specify statuses and bodies (A12).',
          'x-assumption': 'A12',
          content: { 'application/json': { schema: createReference('schemas', 'Error') } },
        },
        TooManyRequests: {
          description: 'Too many calls. The contract does not specify rate limits (A13).',
          'x-assumption': 'A13',
          headers: {
            'Retry-After': {
              description: 'When to call again: seconds or an HTTP date.',
              schema: { type: 'string' },
            },
          },
          content: { 'application/json': { schema: createReference('schemas', 'Error') } },
        },
      },
    },
  }
}

const ERROR = {
  type: 'object',
  description: 'Read if present. The contract does not specify error bodies (A12).',
  'x-assumption': 'A12',
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { message: { type: 'string' }, code: { type: 'string' } },
      },
    },
    message: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
  },
}

/** The contract does not specify how a page is requested. */
const PAGING = [
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'The cursor of the previous page.',
    'x-assumption': 'A11',
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Items per page.',
    'x-assumption': 'A11',
    schema: { type: 'integer', minimum: 1 },
  },
]

function createPaths(operations: Readonly<Record<string, Operation>>) {
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [
      operation.path,
      { [operation.method.toLowerCase()]: createOperation(id, operation) },
    ]),
  )
}

function createOperation(id: string, operation: Operation) {
  const { summary, parameters, response } = operation
  const all = [...parameters.map(createParameter), ...(response.envelope === 'list' ? PAGING : [])]
  return {
    operationId: id,
    tags: [findTag(operation)],
    summary,
    ...(all.length > 0 && { parameters: all }),
    responses: {
      '200': {
        description: 'Success: any 2xx. The contract does not specify the status (A12).',
        'x-assumption': 'A12',
        content: { 'application/json': { schema: createEnvelopeSchema(response) } },
      },
      '429': createReference('responses', 'TooManyRequests'),
      '4XX': createReference('responses', 'Error'),
      '5XX': createReference('responses', 'Error'),
    },
  }
}

function createParameter({
  name,
  in: place,
  type,
  required,
  description,
  values,
  format,
  default: preset,
}: OperationParameter) {
  return {
    name,
    in: place,
    required,
    description,
    schema: {
      type,
      ...(values !== undefined && { enum: values }),
      ...(format === 'date-time' && { format }),
      ...(preset !== undefined && { default: preset }),
    },
  }
}

function createEnvelopeSchema({ envelope, resource }: Operation['response']) {
  const item = createReference('schemas', toComponentName(resource))
  return {
    type: 'object',
    description: 'The contract does not specify whether `data` is always present (A14).',
    'x-assumption': 'A14',
    required: ['data'],
    properties: {
      data: envelope === 'single' ? item : { type: 'array', items: item },
      ...(envelope === 'list' && { pagination: createReference('schemas', 'Pagination') }),
      request_id: { type: 'string', description: 'The request ID for tracking.' },
    },
  }
}

function toJsonSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return {
    ...rest,
    description: 'The contract does not specify which fields are always present (A14).',
    'x-assumption': 'A14',
  }
}

function createReference(section: string, name: string) {
  return { $ref: `#/components/${section}/${name}` }
}

/** `ticket_form` → `TicketForm`. */
function toComponentName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** `/ticket-forms` → `ticket-forms`: one tag per resource. */
function findTag({ path }: Operation): string {
  return path.split('/')[1] ?? ''
}
