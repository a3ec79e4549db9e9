import { expect, test } from 'vitest';
import { podProblems, type PodLike, podFixes } from '../../../src/cluster/rollout/pod-problems.ts';

const fixesOf = (reason: string, message: string): readonly string[] => {
  const pod: PodLike = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
    status: {
      phase: 'Pending',
      containerStatuses: [{ name: 'manager', state: { waiting: { reason, message } } }],
    },
  };
  return podProblems(pod).flatMap((problem) => podFixes(problem));
};

test.each([
  [
    'CreateContainerConfigError',
    'Error: container has runAsNonRoot and image will run as root (pod: "web")',
    /numeric USER/,
  ],
  [
    'CreateContainerConfigError',
    'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root',
    /numeric USER/,
  ],
  ['CreateContainerConfigError', 'configmap "settings" not found', /^create the ConfigMap or Secret/],
  ['CreateContainerConfigError', 'secret "token" not found', /^create the ConfigMap or Secret/],
  ['CreateContainerConfigError', "couldn't find key url in ConfigMap web/settings", /^add the key/],
  [
    'RunContainerError',
    'failed to start container: exec: "/manager": stat /manager: no such file or directory',
    /^correct command and args/,
  ],
  ['CreateContainerError', 'context deadline exceeded', /^correct what the message says/],
  ['ImagePullBackOff', 'Back-off pulling image', /^push the image/],
])('%s: %s', (reason, message, advice) => {
  expect(fixesOf(reason, message)[0]).toMatch(advice);
});
