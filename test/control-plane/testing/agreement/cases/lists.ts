import { agree, requestsAt, widget, widgets as w, type Case } from '../case.ts';

const planets = requestsAt('/apis/agreement.example.com/v1/planets');
const abc = [
  w.create(widget('a', { spec: { mode: 'Fast', size: 1 } }, { labels: { app: 'x', tier: 'front' } })),
  w.create(widget('b', { spec: { mode: 'Slow' } }, { labels: { app: 'y', tier: 'back' } })),
  w.create(widget('c', { spec: { mode: 'Fast', size: 2 } }, { labels: { app: 'x' } })),
];
const select = (name: string, parameters: Readonly<Record<string, string>>): Case =>
  agree(name, ...abc, w.list(parameters));
const label = (labelSelector: string): Case => select(`labels: ${labelSelector}`, { labelSelector });
const field = (fieldSelector: string): Case => select(`fields: ${fieldSelector}`, { fieldSelector });

export const cases: readonly Case[] = [
  agree('nothing', w.list()),
  select('everything', {}),
  label('app=x'),
  label('app==x'),
  label('app!=x'),
  label('app in (x, y)'),
  label('app notin (x)'),
  label('tier'),
  label('!tier'),
  label('app=x,tier=front'),
  label('app=none'),
  field('metadata.name=a'),
  field('metadata.name!=a'),
  field('metadata.namespace=$NS'),
  field('spec.mode=Fast'),
  field('spec.mode!=Fast'),
  field('spec.size=1'),
  field('spec.size='),
  field('spec.mode=Fast,metadata.name=c'),
  select('labels and fields', { labelSelector: 'app=x', fieldSelector: 'spec.size=2' }),
  select('a limit', { limit: '2' }),
  select('a limit that is not reached', { limit: '5' }),
  select('a limit and a selector', { limit: '1', labelSelector: 'app=x' }),
  agree('pages', ...abc, w.list({ limit: '2' }), (r) =>
    w.list({ limit: '2', continue: r.at(-1)?.body.metadata.continue }),
  ),
  agree(
    'pages while objects change',
    ...abc,
    w.list({ limit: '1' }),
    w.create(widget('bb')),
    w.remove('c'),
    (r) => w.list({ continue: r[3]?.body.metadata.continue }),
  ),
  agree('a name that no object has', planets.list({ fieldSelector: 'metadata.name=none-$NS' })),
  agree('metadata alone, of an object', ...abc, {
    ...w.get('a'),
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  }),
  agree('metadata alone, of a list', ...abc, {
    ...w.list(),
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  }),
];
