import * as z from 'zod'
import { type Operation, type OperationParameter, OPERATIONS } from './operations.ts'
import { paginationSchema, RESOURCE_SCHEMAS } from './resources.ts'

/**
 * The API as an OpenAPI 3.1 document, made from the table of operations and the
 * schemas of the resources. What is assumed carries `x-assumption` with its id.
 *
 * @see docs/assumptions.md
 */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Support issue service: API',
      version: '1.0.0',
      description:
        'The eight operations that the service documents. Descriptions say what is stated; x-assumption marks what is not, and what Sidecard does about it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/', description: 'The base address of the service; of the emulator, its own.' },
    ],
    security: [{ bearer: [] }],
    tags: Object.values(OPERATIONS).map((operation) => ({
      name: tagOf(operation),
      description: operation.summary,
    })),
    paths: pathsOf(OPERATIONS),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(
          Object.entries(RESOURCE_SCHEMAS).map(([name, schema]) => [
            componentName(name),
            jsonSchema(schema),
          ]),
        ),
        Pagination: jsonSchema(paginationSchema),
        Error: ERROR,
      },
      responses: {
        Error: {
          description: 'The call failed. Statuses and body are not stated (A12).',
          'x-assumption': 'A12',
          content: { 'application/json': { schema: reference('schemas', 'Error') } },
        },
        TooManyRequests: {
          description: 'Too many calls. Whether there are rate limits is not stated (A13).',
          'x-assumption': 'A13',
          headers: {
            'Retry-After': {
              description: 'When to call again: seconds, or an HTTP date.',
              schema: { type: 'string' },
            },
          },
          content: { 'application/json': { schema: reference('schemas', 'Error') } },
        },
      },
    },
  }
}

const ERROR = {
  type: 'object',
  description: 'Read where it is there; nothing of it is stated (A12).',
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

/** How a next page is asked for is not stated. */
const PAGING = [
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'The cursor of the page before.',
    'x-assumption': 'A11',
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Items a page.',
    'x-assumption': 'A11',
    schema: { type: 'integer', minimum: 1 },
  },
]

function pathsOf(operations: Readonly<Record<string, Operation>>) {
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [
      operation.path,
      { [operation.method.toLowerCase()]: operationObject(id, operation) },
    ]),
  )
}

function operationObject(id: string, operation: Operation) {
  const { summary, parameters, response } = operation
  const all = [...parameters.map(parameterObject), ...(response.envelope === 'list' ? PAGING : [])]
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    ...(all.length > 0 && { parameters: all }),
    responses: {
      '200': {
        description: 'Success. Its status is not stated (A12); any 2xx is taken for it.',
        'x-assumption': 'A12',
        content: { 'application/json': { schema: envelopeSchema(response) } },
      },
      '429': reference('responses', 'TooManyRequests'),
      '4XX': reference('responses', 'Error'),
      '5XX': reference('responses', 'Error'),
    },
  }
}

function parameterObject({
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

function envelopeSchema({ envelope, resource }: Operation['response']) {
  const item = reference('schemas', componentName(resource))
  return {
    type: 'object',
    description: 'That `data` is always there is not stated (A14).',
    'x-assumption': 'A14',
    required: ['data'],
    properties: {
      data: envelope === 'single' ? item : { type: 'array', items: item },
      ...(envelope === 'list' && { pagination: reference('schemas', 'Pagination') }),
      request_id: { type: 'string', description: 'The request ID for tracking.' },
    },
  }
}

function jsonSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return {
    ...rest,
    description: 'Which fields are always present is not stated (A14).',
    'x-assumption': 'A14',
  }
}

function reference(section: string, name: string) {
  return { $ref: `#/components/${section}/${name}` }
}

/** `ticket_form` → `TicketForm`. */
function componentName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** `/ticket-forms` → `ticket-forms`: the operations of a resource stand together. */
function tagOf({ path }: Operation): string {
  return path.split('/')[1] ?? ''
}
