/** What a folder of `src` may import, besides its own files. Everything else is an error. */
export interface Layer {
  /** Other folders of `src`. */
  readonly folders?: readonly string[]
  /** Single modules of other folders. */
  readonly modules?: readonly string[]
  /** Modules of other folders, of which it may import only types. */
  readonly types?: readonly string[]
  /** npm packages, and `node:` for the modules of Node. A folder in a folder has those of both. */
  readonly packages?: readonly string[]
  /** Its own folders and single files, the lowest first. Each may import those before it; those in one array may not import each other. */
  readonly floors?: ReadonlyArray<string | readonly string[]>
}

const shared = ['runtime/contract', 'runtime/internal']
const base = [...shared, 'runtime/render', 'tools/internal']
const endpoints = [...base, 'tools/project', 'tools/service', 'tools/check']

/** Who may import whom. `.oxlintrc.json` is generated from it: `npm run generate`. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'index.ts': { folders: [...shared, 'runtime/builders', 'runtime/app'] },

  // What people deploy. It runs wherever Fetch does.
  'runtime/internal': {},
  'runtime/contract': { folders: ['runtime/internal'], packages: ['zod'] },
  'runtime/builders': { folders: shared, floors: ['components', 'values'] },
  'runtime/app': {
    folders: [...shared, 'runtime/builders'],
    packages: ['hono'],
    floors: ['observe', 'request', ['identify', 'sections']],
  },
  'runtime/actions': {
    folders: [...shared, 'runtime/builders', 'runtime/app', 'runtime/render'],
    packages: ['hono', 'jose', 'oauth4webapi'],
    floors: [
      'messages.ts',
      ['fields', 'links'],
      'sign-in',
      'receipts',
      'run',
      'page',
      ['action.ts', 'actions.ts'],
      'index.ts',
    ],
  },
  'runtime/cache': { folders: shared },
  'runtime/messages': { folders: ['runtime/app', 'runtime/actions'] },
  'runtime/node': {
    folders: ['runtime/internal', 'runtime/app'],
    packages: ['hono', '@hono/node-server', 'node:'],
  },
  'runtime/client': { folders: shared },
  'runtime/render': { folders: shared },

  // What runs on a developer's machine and in CI. It knows apps by HTTP only.
  'tools/internal': { folders: ['runtime/internal'], packages: ['jsonc-parser'] },
  'tools/project': { folders: [...shared, 'tools/internal'], packages: ['zod'] },
  'tools/service': {
    folders: [...base, 'tools/project'],
    floors: ['endpoint', 'responses', 'response-rules', 'testing'],
  },
  'tools/check': {
    folders: [...base, 'tools/service'],
    floors: ['responses', 'probes', 'report', 'rules'],
  },
  'tools/emulator': {
    folders: endpoints,
    packages: ['hono', 'zod'],
    floors: [
      'faults',
      'protocol',
      'store',
      'dataset',
      'core',
      'listener',
      ['api', 'apps'],
      'control',
    ],
  },
  'tools/emulator/store': { packages: ['node:', 'launch-editor'] },
  'tools/emulator/listener': { packages: ['node:', '@hono/node-server'] },
  'tools/workspace': {
    modules: [
      ...['generated/types', 'generated/vocabulary', 'parameters', 'shown-fields', 'uri'].map(
        (name) => `runtime/contract/${name}.ts`,
      ),
      'runtime/render/link-host.ts',
      ...['action-link', 'capitalize', 'decode-percent', 'parse-json'].map(
        (name) => `tools/internal/${name}.ts`,
      ),
      ...[
        'endpoint/as-intended',
        'endpoint/body',
        'endpoint/json-object',
        'responses/recording',
        'response-rule',
      ].map((name) => `tools/service/${name}.ts`),
      'tools/service/response-rules/index.ts',
      ...['report/report', 'report/reporters/verdict-text', 'rules/index'].map(
        (name) => `tools/check/${name}.ts`,
      ),
      'tools/emulator/builder-code.ts',
      ...['actions', 'tasks', 'workspace', 'widgets', 'exchanges'].map(
        (name) => `tools/emulator/protocol/${name}.ts`,
      ),
    ],
    // Their functions need zod.
    types: ['tools/emulator/protocol/routes.ts', 'tools/emulator/faults/rules.ts'],
    packages: ['preact', '@preact/signals', 'diff', 'jsonc-parser'],
    floors: [
      'core',
      'state',
      'parts',
      ['api', 'apps', 'issues', 'pane', 'playground', 'requests', 'sidebar', 'states'],
      ['shell', 'site'],
    ],
  },
  'tools/cli': {
    folders: [...endpoints, 'tools/emulator', 'tools/workspace'],
    packages: ['node:', 'commander', '@clack/prompts', 'ignore'],
    floors: [
      'new',
      'add',
      'transport',
      'assumptions',
      ['server', 'tunnel'],
      'dev',
      'apps',
      'commands',
    ],
  },
}
