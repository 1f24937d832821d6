/**
 * The layer table of docs/ARCHITECTURE.md as an allow-list: what is not allowed here is a violation. The list of known violations is empty
 * and stays so.
 */
const pure = ['base', 'model', 'state', 'savepoint', 'operators', 'network', 'checkpointing', 'task', 'coordinator', 'jobmaster']
const layer = (name) => `^workers/${name}/`
const upTo = (name) => `^workers/(${pure.slice(0, pure.indexOf(name) + 1).join('|')})/`

/** A layer may use itself and those named before it in the order of building. */
const engine = [
  ['base', [layer('base')]],
  ['model', [upTo('model')]],
  ['state', [upTo('state')]],
  ['savepoint', [upTo('savepoint')]],
  ['operators', ['^workers/(base|model|state|operators)/']],
  ['network', ['^workers/(base|model|state|network)/']],
  ['checkpointing', ['^workers/(base|model|state|savepoint|operators|network|checkpointing)/']],
  ['task', ['^workers/(base|model|state|operators|network|checkpointing|task)/']],
  ['coordinator', ['^workers/(base|model|state|savepoint|operators|coordinator)/']],
  ['jobmaster', ['^workers/(base|model|state|savepoint|operators|coordinator|jobmaster)/']],
  ['outside', ['^workers/(base|model|outside)/']],
  ['projections', ['^workers/(base|model|projections)/']],
  ['invariants', ['^workers/(base|model|invariants)/']],
]

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', comment: 'A cycle has no order of building.', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'A file that nobody reaches is dead.',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/main\\.tsx$', '^workers/[^/]+\\.worker\\.ts$', 'tsconfig'] },
      to: {},
    },
    ...engine.map(([name, allowed]) => ({
      name: `layer-${name}`,
      severity: 'error',
      comment: `workers/${name} may import only what stands before it in the order of building.`,
      from: { path: layer(name) },
      to: { pathNot: allowed },
    })),
    {
      name: 'layer-simulator',
      severity: 'error',
      comment: 'The simulator is as pure as the engine: no platform, no npm package.',
      from: { path: '^workers/hosts/simulator/' },
      to: { pathNot: [`^workers/(${[...pure, 'outside', 'projections', 'invariants'].join('|')}|hosts/simulator)/`, '^workers/storage/(memory-files|paths)'] },
    },
    {
      name: 'layer-storage',
      severity: 'error',
      comment: 'Storage knows plain data and idb, not the engine.',
      from: { path: '^workers/storage/' },
      to: { pathNot: ['^workers/(base|model|outside|storage)/', 'node_modules/idb/'] },
    },
    {
      name: 'layer-hosts',
      severity: 'error',
      comment: 'A host knows neither the page nor another host.',
      from: { path: '^workers/hosts/(browser|node)/' },
      to: { path: ['^src/', '^workers/hosts/(?!$1)'] },
    },
    {
      name: 'page-knows-no-engine',
      severity: 'error',
      comment: 'The page draws what the engine emits; it reaches into workers/ only for plain data.',
      from: { path: '^src/', pathNot: '^src/cluster/' },
      to: { path: '^workers/', pathNot: ['^workers/(base|model|projections|invariants)/', '^workers/hosts/browser/snapshot-desk\\.ts$'] },
    },
    {
      name: 'cluster-knows-messages-only',
      severity: 'error',
      comment: 'The broker of ports knows the messages of the browser host and its plain data, not its shells.',
      from: { path: '^src/cluster/' },
      to: { path: '^workers/', pathNot: ['^workers/(base|model|projections|invariants)/', '^workers/hosts/browser/(messages|requests|liveness|snapshot-desk)\\.ts$', '\\.worker\\.ts$'] },
    },
    { name: 'product-without-tests', severity: 'error', comment: 'Product code does not import tests.', from: { path: '^(src|workers)/' }, to: { path: '^(tests|bench|scripts)/', pathNot: '^scripts/data-sets\\.mjs$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
