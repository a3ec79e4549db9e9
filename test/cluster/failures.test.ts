// What deploy says about Pods that do not become ready, in the words of a real kubelet.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Finding } from '../../src/base/errors/index.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { createNginxProject, type OperatorProject } from './bed/operator-project.ts';
import { pushScriptImage } from './bed/script-image.ts';

const bed = inject('cluster') as ClusterBed;

describe.skipIf(bed === undefined)('a deploy that fails', () => {
  let project: OperatorProject;
  beforeAll(async () => {
    project = await createNginxProject(bed, 'broken-operator');
  });
  afterAll(async () => {
    await project?.opSdk('undeploy', '--yes');
    project?.[Symbol.dispose]();
  });

  /** Deploys until the message is as expected: on a busy machine a Pod gets so far only in the time of a later one. */
  const failureOf = async (image: string, expected: RegExp, timeout = '25s'): Promise<Finding> => {
    for (let tries = 1; ; tries++) {
      const finding = await failureOnce(image, timeout);
      if (tries === 6 || expected.test(finding.message)) return finding;
    }
  };
  const failureOnce = async (image: string, timeout: string): Promise<Finding> => {
    const ended = await project.try('deploy', '--image', image, '--timeout', timeout, '-o', 'json');
    expect(ended.code, ended.stderr).toBe(1);
    const { errors } = JSON.parse(ended.stdout) as { readonly errors: readonly Finding[] };
    expect(errors).toHaveLength(1);
    const [finding] = errors;
    if (finding === undefined) throw new Error('deploy reported no finding');
    return finding;
  };

  test('names the image that cannot be pulled, and the way to push it', async () => {
    const image = `${bed.registry}/team/never-pushed:v1`;
    const expected = /Pod broken-operator-\S+: container manager: (ErrImagePull|ImagePullBackOff) of /;
    // The wait ends by itself.
    const { code, message, fix } = await failureOf(image, expected, '10m');
    expect(code).toBe('cluster/image-not-pulled');
    expect(message).toMatch(expected);
    expect(message).toContain(image);
    expect(message).toContain('not found');
    expect(fix?.join('\n')).toContain('push the image');
  });

  test('shows the exit code and the last words of an operator that crashes', async () => {
    const image = `${bed.registry}/team/crashing:v1`;
    await pushScriptImage({ reference: image, script: 'echo "cannot read the settings" >&2; exit 3' });
    const expected = /container manager: CrashLoopBackOff, it ended with exit code 3/;
    const { code, message } = await failureOf(image, expected);
    expect(code).toBe('cluster/rollout-timeout');
    expect(message).toMatch(expected);
    expect(message).toContain('cannot read the settings');
  });
});
