import {
  agree,
  requestsAt,
  widget,
  widgets as w,
  type Case,
  type Loose,
  type Reply,
  type Step,
} from '../case.ts';

const at = (step: Step): Step => ({ ...step, path: step.path.replace(/(\/widgets\/[^?/]+)/, '$1/status') });
const create = w.create(widget('a', { spec: { size: 1 } }));
const putBack =
  (change: (object: Loose) => void, parameters = {}) =>
  (replies: readonly Reply[]): Step => {
    const object = structuredClone(replies.at(-1)?.body);
    change(object);
    return at(w.put('a', object, parameters));
  };
const ready = { type: 'Ready', status: 'True' };

export const cases: readonly Case[] = [
  agree(
    'a status',
    create,
    putBack((o) => void (o.status = { phase: 'Ready' })),
    w.get('a'),
  ),
  agree(
    'the generation stays',
    create,
    putBack((o) => void (o.status = { count: 3 })),
  ),
  agree(
    'the spec is ignored',
    create,
    putBack((o) => {
      o.status = { phase: 'Ready' };
      o.spec.size = 9;
    }),
  ),
  agree(
    'labels are ignored',
    create,
    putBack((o) => {
      o.status = { phase: 'Ready' };
      o.metadata.labels = { a: 'b' };
    }),
  ),
  agree(
    'finalizers are ignored',
    create,
    putBack((o) => {
      o.status = { phase: 'Ready' };
      o.metadata.finalizers = ['example.com/a'];
    }),
  ),
  agree(
    'an invalid status',
    create,
    putBack((o) => void (o.status = { phase: 'None' })),
  ),
  agree(
    'a condition without a type',
    create,
    putBack((o) => void (o.status = { conditions: [{ status: 'True' }] })),
  ),
  agree(
    'conditions of one type',
    create,
    putBack((o) => void (o.status = { conditions: [ready, ready] })),
  ),
  agree('a stale resourceVersion', create, w.merge('a', { spec: { size: 2 } }), (r) =>
    at(w.put('a', { ...r[0]?.body, status: { phase: 'Ready' } })),
  ),
  agree(
    'without a resourceVersion',
    create,
    putBack((o) => {
      o.status = { phase: 'Ready' };
      delete o.metadata.resourceVersion;
    }),
  ),
  agree('a merge patch', create, at(w.merge('a', { status: { phase: 'Ready' }, spec: { size: 5 } }))),
  agree('a JSON patch', create, at(w.json('a', [{ op: 'add', path: '/status', value: { phase: 'Ready' } }]))),
  agree('an apply', create, at(w.apply('a', widget('a', { status: { conditions: [ready] } }))), w.get('a')),
  agree(
    'an apply that removes a condition',
    create,
    at(w.apply('a', widget('a', { status: { conditions: [ready, { type: 'B', status: 'True' }] } }))),
    at(w.apply('a', widget('a', { status: { conditions: [ready] } }))),
  ),
  agree(
    'two appliers of conditions',
    create,
    at(w.apply('a', widget('a', { status: { conditions: [ready] } }))),
    at(
      w.apply('a', widget('a', { status: { conditions: [{ type: 'B', status: 'True' }] } }), {
        fieldManager: 'two',
      }),
    ),
  ),
  agree(
    'a conflict of appliers',
    create,
    at(w.apply('a', widget('a', { status: { conditions: [ready] } }))),
    at(
      w.apply('a', widget('a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }), {
        fieldManager: 'two',
      }),
    ),
  ),
  agree(
    'a forced apply',
    create,
    at(w.apply('a', widget('a', { status: { conditions: [ready] } }))),
    at(
      w.apply('a', widget('a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }), {
        fieldManager: 'two',
        force: 'true',
      }),
    ),
  ),
  agree(
    'an apply of a spec through status',
    create,
    at(w.apply('a', widget('a', { spec: { size: 9 }, status: { phase: 'Ready' } }))),
  ),
  agree(
    'an apply to an object that does not exist',
    at(w.apply('a', widget('a', { status: { phase: 'Ready' } }))),
  ),
  agree(
    'an unknown field, strictly',
    create,
    at(w.merge('a', { status: { bogus: 1 } }, { fieldValidation: 'Strict' })),
  ),
  agree(
    'the status removed',
    create,
    putBack((o) => void (o.status = { phase: 'Ready' })),
    putBack((o) => void delete o.status),
  ),
  agree(
    'a change of the spec keeps the status',
    create,
    putBack((o) => void (o.status = { phase: 'Ready' })),
    w.merge('a', { spec: { size: 3 } }),
  ),
  agree('a read', create, at(w.get('a'))),
  agree('a kind without the subresource', {
    ...requestsAt('/apis/agreement.example.com/v1/namespaces/$NS/gadgets/a').list(),
    path: '/apis/agreement.example.com/v1/namespaces/$NS/gadgets/a/status',
  }),
  agree('a dry run', create, at(w.merge('a', { status: { phase: 'Ready' } }, { dryRun: 'All' })), w.get('a')),
  agree(
    'the status of an object under deletion',
    w.create(widget('a', {}, { finalizers: ['example.com/a'] })),
    w.remove('a'),
    at(w.merge('a', { status: { phase: 'Ready' } })),
  ),
];
