import { agree, requestsAt, type Case, type Step } from '../case.ts';

const engines = requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/engines');
const engine = (spec: unknown): unknown => ({
  apiVersion: 'agreement.example.com/v1',
  kind: 'Engine',
  metadata: { name: 'a' },
  spec,
});
const scale = (step: Step): Step => ({ ...step, path: step.path.replace('/engines/a', '/engines/a/scale') });
const create = engines.create(engine({ replicas: 2 }));

export const cases: readonly Case[] = [
  agree('a read', create, scale(engines.get('a'))),
  agree('a read without replicas', engines.create(engine({})), scale(engines.get('a'))),
  agree('a merge patch', create, scale(engines.merge('a', { spec: { replicas: 5 } })), engines.get('a')),
  agree(
    'a JSON patch',
    create,
    scale(engines.json('a', [{ op: 'replace', path: '/spec/replicas', value: 4 }])),
  ),
  agree('an update', create, scale(engines.get('a')), (r) =>
    scale(engines.put('a', { ...r[1]?.body, spec: { replicas: 7 } })),
  ),
  agree(
    'a stale update',
    create,
    scale(engines.get('a')),
    engines.merge('a', { spec: { replicas: 3 } }),
    (r) => scale(engines.put('a', { ...r[1]?.body, spec: { replicas: 7 } })),
  ),
  agree('negative replicas', create, scale(engines.merge('a', { spec: { replicas: -1 } }))),
  agree('an object that does not exist', scale(engines.get('a'))),
  agree('negative replicas in the object', engines.create(engine({ replicas: -1 }))),
  agree(
    'the observed number and the selector',
    create,
    {
      ...engines.merge('a', { status: { replicas: 2, selector: 'app=x' } }),
      path: engines.get('a').path + '/status',
    },
    scale(engines.get('a')),
  ),
  agree('to zero', create, scale(engines.merge('a', { spec: { replicas: 0 } })), engines.get('a')),
];
