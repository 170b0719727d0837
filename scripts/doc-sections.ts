/**
 * The pages of the documentation in reading order, relative to `docs/`: for the
 * navigation of the site, docs/README.md and llms.txt. A test fails if a page is
 * missing. The pages of the rules (`checks/<group>.md`) are listed by `checks/README.md`.
 */
export const DOC_SECTIONS = [
  {
    title: 'Start',
    pages: [
      'get-started.md',
      'how-it-works.md',
      'components.md',
      'guides/app.md',
      'guides/project-file.md',
      'guides/values.md',
      'guides/identity.md',
      'testing.md',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'guides/slow-sources.md',
      'guides/caching.md',
      'guides/actions.md',
      'guides/sign-in.md',
      'guides/another-language.md',
      'guides/with-your-stack.md',
      'guides/moving.md',
      'guides/tunnels.md',
    ],
  },
  {
    title: 'Operating',
    pages: [
      'guides/authentication.md',
      'guides/deploy.md',
      'guides/checking.md',
      'troubleshooting.md',
      'guides/observing.md',
      'guides/scaling.md',
      'security.md',
      'upgrading.md',
    ],
  },
  {
    title: 'Tools',
    pages: ['cli.md', 'emulator.md', 'playground.md', 'client.md', 'checks/README.md'],
  },
  {
    title: 'Reference',
    pages: [
      'reference.md',
      'errors.md',
      'contract.md',
      'assumptions.md',
      'architecture.md',
      'performance.md',
    ],
  },
] as const
