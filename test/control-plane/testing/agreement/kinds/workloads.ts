import { agree, type AnyStep, type Case } from '../case.ts';
import {
  commonCases,
  container,
  labels,
  requestsOf,
  template,
  type Fields,
  type KindUnderTest,
} from './requests.ts';

const selector = { matchLabels: labels };
const workload = (kind: string): KindUnderTest => ({
  path: `/apis/apps/v1/namespaces/$NS/${kind.toLowerCase()}s`,
  apiVersion: 'apps/v1',
  kind,
  valid: { spec: { selector, template: template() } },
});
const claim = (spec: Fields = {}): Fields => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } }, ...spec },
});

function workloadCases(kind: KindUnderTest, scaled: boolean): readonly Case[] {
  const { create, get, spec, merge, status, object, below, apply, statusApply, remove } = requestsOf(kind);
  const say = (name: string, ...steps: readonly AnyStep[]): Case => agree(`${kind.kind}: ${name}`, ...steps);
  const withSpec = (name: string, change: Fields): Case => say(name, create(spec(change)));
  return [
    ...commonCases(kind),
    withSpec('without a selector', { selector: undefined }),
    withSpec('an empty selector', { selector: {} }),
    withSpec('a selector of others', { selector: { matchLabels: { app: 'y' } } }),
    withSpec('a selector by expressions', {
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x', 'y'] }] },
    }),
    withSpec('an invalid expression', { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }),
    withSpec('no template', { template: undefined }),
    withSpec('an invalid container', { template: template({}, { name: 'A_B', image: '' }) }),
    withSpec('Never', { template: template({ restartPolicy: 'Never' }) }),
    withSpec('a deadline', { template: template({ activeDeadlineSeconds: 5 }) }),
    withSpec('negative minReadySeconds', { minReadySeconds: -1 }),
    withSpec('limits alone', { template: template({}, { resources: { limits: { cpu: '1000m' } } }) }),
    say(
      'another selector',
      create(),
      merge({
        spec: {
          selector: { matchLabels: { app: null, b: 'c' } },
          template: { metadata: { labels: { b: 'c' } } },
        },
      }),
    ),
    say(
      'another image',
      create(),
      merge({ spec: { template: { spec: { containers: [{ ...container, image: 'x:2' }] } } } }),
    ),
    say('applied with another image', apply(), apply(spec({ template: template({}, { image: 'x:2' }) }))),
    say('a status by apply', create(), statusApply({ observedGeneration: 1 }), get),
    say('a negative status', create(), status({ observedGeneration: -1 })),
    say(
      'labels by the status endpoint',
      create(),
      below(
        merge({
          metadata: { labels: { b: 'c' }, annotations: { d: 'e' } },
          status: { observedGeneration: 1 },
        }),
        'status',
      ),
    ),
    say('orphaned', create(), remove({ propagationPolicy: 'Orphan' })),
    say('a status in a create', create({ ...object(), status: { observedGeneration: 3 } })),
    ...(scaled
      ? [
          withSpec('negative replicas', { replicas: -1 }),
          withSpec('no replicas', { replicas: 0 }),
          say('replicas', create(), merge({ spec: { replicas: 3 } })),
          say('a scale', create(), below(get, 'scale')),
          say('scaled', create(), below(merge({ spec: { replicas: 3 } }), 'scale'), get),
          say('scaled to nothing', create(), below(merge({ spec: { replicas: 0 } }), 'scale')),
          say('scaled below nothing', create(), below(merge({ spec: { replicas: -1 } }), 'scale')),
          say(
            'a scale of expressions',
            create(
              spec({
                selector: {
                  ...selector,
                  matchExpressions: [
                    { key: 'app', operator: 'Exists' },
                    { key: 'z', operator: 'NotIn', values: ['b', 'a'] },
                  ],
                },
              }),
            ),
            below(get, 'scale'),
          ),
          say('a status', create(), status({ replicas: 2, readyReplicas: 1, availableReplicas: 1 })),
          say(
            'more ready than there are',
            create(),
            status({ replicas: 1, readyReplicas: 2, availableReplicas: 3 }),
          ),
        ]
      : []),
  ];
}

const set = workload('StatefulSet');
const sets = requestsOf(set);
const daemon = workload('DaemonSet');
const daemons = requestsOf(daemon);
const deployment = requestsOf(workload('Deployment'));
const say = agree;

export const workloadKinds: Readonly<Record<string, readonly Case[]>> = {
  Deployment: [
    ...workloadCases(workload('Deployment'), true),
    say(
      'Deployment: Recreate with an update',
      deployment.create(deployment.spec({ strategy: { type: 'Recreate', rollingUpdate: {} } })),
    ),
    say(
      'Deployment: an unknown strategy',
      deployment.create(deployment.spec({ strategy: { type: 'Slow' } })),
    ),
    say(
      'Deployment: no surge',
      deployment.create(
        deployment.spec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
      ),
    ),
    say(
      'Deployment: an invalid percentage',
      deployment.create(
        deployment.spec({ strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } } }),
      ),
    ),
    say(
      'Deployment: a short deadline',
      deployment.create(deployment.spec({ progressDeadlineSeconds: 5, minReadySeconds: 5 })),
    ),
    say(
      'Deployment: paused',
      deployment.create(deployment.spec({ paused: true })),
      deployment.merge({ spec: { paused: false } }),
    ),
  ],
  ReplicaSet: workloadCases(workload('ReplicaSet'), true),
  StatefulSet: [
    ...workloadCases(set, true),
    say(
      'StatefulSet: a claim',
      sets.create(
        sets.spec({
          serviceName: 's',
          volumeClaimTemplates: [claim()],
          template: template({}, { volumeMounts: [{ name: 'data', mountPath: '/d' }] }),
        }),
      ),
      sets.get,
    ),
    say(
      'StatefulSet: an applied claim',
      sets.apply(sets.spec({ volumeClaimTemplates: [claim()] })),
      sets.apply(sets.spec({ volumeClaimTemplates: [claim()] })),
    ),
    say(
      'StatefulSet: another claim',
      sets.create(sets.spec({ volumeClaimTemplates: [claim()] })),
      sets.merge({ spec: { volumeClaimTemplates: [claim({ accessModes: ['ReadWriteMany'] })] } }),
    ),
    say(
      'StatefulSet: an invalid claim',
      sets.create(sets.spec({ volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] })),
    ),
    say('StatefulSet: another service', sets.create(), sets.merge({ spec: { serviceName: 'y' } })),
    say(
      'StatefulSet: another management',
      sets.create(),
      sets.merge({ spec: { podManagementPolicy: 'Parallel' } }),
    ),
    say('StatefulSet: an unknown management', sets.create(sets.spec({ podManagementPolicy: 'Any' }))),
    say('StatefulSet: Parallel', sets.create(sets.spec({ podManagementPolicy: 'Parallel' }))),
    say('StatefulSet: OnDelete', sets.create(sets.spec({ updateStrategy: { type: 'OnDelete' } })), sets.get),
    say(
      'StatefulSet: OnDelete with a partition',
      sets.create(sets.spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } })),
    ),
    say(
      'StatefulSet: a partition',
      sets.create(sets.spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } })),
    ),
    say(
      'StatefulSet: a negative partition',
      sets.create(sets.spec({ updateStrategy: { rollingUpdate: { partition: -2 } } })),
    ),
    say(
      'StatefulSet: RollingUpdate alone',
      sets.create(sets.spec({ updateStrategy: { type: 'RollingUpdate' } })),
    ),
    say('StatefulSet: an unknown strategy', sets.create(sets.spec({ updateStrategy: { type: 'Fast' } }))),
    say(
      'StatefulSet: claims deleted',
      sets.create(sets.spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } })),
    ),
    say(
      'StatefulSet: an unknown retention',
      sets.create(sets.spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Never' } })),
    ),
    say(
      'StatefulSet: ordinals',
      sets.create(sets.spec({ ordinals: { start: 3 } })),
      sets.merge({ spec: { ordinals: { start: -1 } } }),
    ),
    say('StatefulSet: an invalid service', sets.create(sets.spec({ serviceName: 'A_b' }))),
    say('StatefulSet: a name with a dot', sets.create(sets.object({}, { name: 'a.b' }))),
  ],
  DaemonSet: [
    ...workloadCases(daemon, false),
    say('DaemonSet: OnDelete', daemons.create(daemons.spec({ updateStrategy: { type: 'OnDelete' } }))),
    say('DaemonSet: an unknown strategy', daemons.create(daemons.spec({ updateStrategy: { type: 'Fast' } }))),
    say(
      'DaemonSet: a surge',
      daemons.create(daemons.spec({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })),
    ),
    say(
      'DaemonSet: both',
      daemons.create(
        daemons.spec({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } } }),
      ),
    ),
    say(
      'DaemonSet: neither',
      daemons.create(daemons.spec({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } })),
    ),
    say('DaemonSet: a scale', daemons.create(), daemons.below(daemons.get, 'scale')),
    say(
      'DaemonSet: a status',
      daemons.create(),
      daemons.status({ numberReady: 1, currentNumberScheduled: 1 }),
    ),
    say(
      'DaemonSet: two changes',
      daemons.create(),
      daemons.merge({ spec: { template: { metadata: { labels: { b: 'c' } } } } }),
      daemons.merge({ spec: { minReadySeconds: 3 } }),
    ),
    say('DaemonSet: a negative history', daemons.create(daemons.spec({ revisionHistoryLimit: -1 }))),
    say('DaemonSet: a negative count', daemons.create(), daemons.status({ numberReady: -1 })),
  ],
};
