import { expect, it } from 'vitest';
import { generateWebhooks } from '../../unit/compiler/manifests/webhook/webhook-project.ts';
import { controllerGenWebhooks } from './oracle.ts';

const peer = controllerGenWebhooks();
if ('missing' in peer)
  console.log(`skipped: the comparison of webhooks with controller-gen: ${peer.missing}`);

/** Pods of the operator itself are left out, which controller-gen has no marker for. */
const objectSelector = `  objectSelector:
    matchExpressions:
    - key: control-plane
      operator: NotIn
      values:
      - controller-manager
`;

it.skipIf('missing' in peer)(
  'writes the bytes that controller-gen writes for the same webhooks',
  async () => {
    const outcome = generateWebhooks(`
export const memcachedWebhook = defineWebhook(Memcached, {
  default() {},
  validate: { create() {}, update() {}, delete() {} },
  subresources: ['status'],
  defaulting: { reinvocationPolicy: 'IfNeeded' },
  validation: { failurePolicy: 'Ignore', sideEffects: 'NoneOnDryRun', timeoutSeconds: 5, matchPolicy: 'Exact' },
});
export const podWebhook = defineWebhook(Pod, { validate: { create() {} } });`);
    const ours = (await outcome.text('config/webhook/manifests.yaml')) ?? '';
    expect(ours).toContain(objectSelector);
    const [, ...lines] = ours.replace(objectSelector, '').split('\n');
    expect(`---\n${lines.join('\n')}`).toBe('missing' in peer ? '' : peer.text);
  },
);
