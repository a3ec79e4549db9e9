// scorecard's tests of images of their own as real Pods: what becomes of them, and how it is printed beside operator-sdk's outputs.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ConfigMap, Namespace, Pod, ServiceAccount } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import type { Loose } from '../../unit/olm/bundle/objects.ts';
import { configuration, siteFolder } from '../../unit/olm/bundle/scorecard/site-bundle.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { pushScriptImage } from '../bed/script-image.ts';
import {
  hasRecording,
  jsonEntries,
  jsonForm,
  recordedConfig,
  recordedOutput,
  textEntries,
  textForm,
  xmlEntries,
  xmlForm,
} from './recorded-outputs.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 150_000, interval: 500 };
const namespace = 'scorecard';

/** What the images of tests run. */
const scripts = {
  pass: `csv=$(ls /bundle/manifests/csv.yaml) && echo '{"results":[{"name":"pass","state":"pass","log":"'"$csv in $SCORECARD_NAMESPACE"'"}]}'`,
  fail: `echo '{"results":[{"name":"one","state":"fail","errors":["first","second"],"suggestions":["do this"]},{"name":"two","state":"pass"}]}'`,
  garbage: 'echo this is not json',
  silence: 'true',
  crash: 'echo about to crash >&2; exit 3',
  // It ends at once when its Pod is deleted.
  slow: 'trap "exit 0" TERM; echo still at it; sleep 2147483647 & wait',
};

describe.skipIf(bed === undefined)('scorecard in Pods', () => {
  let client: KubeClient;
  const imageOf = (name: string): string => `${bed.registry}/team/scorecard-${name}:v1`;

  beforeAll(async () => {
    const cluster = await loadCluster({ kubeconfig: bed.kubeconfig, env: {} });
    client = createClient({ cluster, fieldManager: 'scorecard-test', onWarning: () => undefined });
    for (const [name, script] of Object.entries(scripts))
      await pushScriptImage({ reference: imageOf(name), script });
    // It unpacks the bundle, and is the one of the recorded configuration.
    await pushScriptImage({ reference: `${bed.registry}/busybox:1`, script: 'exec "$@"' });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await client.create(Namespace, { metadata: { name: namespace, labels } });
    const account = { name: 'default', namespace };
    await eventually(async () => (await client.find(ServiceAccount, account)) !== undefined, slow);
  });
  afterAll(async () => {
    await client?.delete(Namespace, { name: namespace });
    await eventually(async () => (await client.find(Namespace, { name: namespace })) === undefined, slow);
    await client?.close();
  });

  const scorecard = (argv: readonly string[], change?: (bundle: Loose) => void): Promise<CliRun> => {
    const place = ['--kubeconfig', bed.kubeconfig, '-n', namespace, '--pod-security', 'restricted'];
    return runCli(['scorecard', ...place, '-u', `${bed.registry}/busybox:1`, ...argv], {
      cwd: siteFolder(change),
    });
  };
  const expectNothingLeft = (): Promise<void> =>
    eventually(async () => {
      const labelSelector = 'app=scorecard-test';
      expect((await client.list(Pod, { namespace, labelSelector })).items).toEqual([]);
      expect((await client.list(ConfigMap, { namespace, labelSelector })).items).toEqual([]);
    }, slow);

  test('whatever becomes of a Pod is a result, and each has its own time', async () => {
    const own = (name: string): Loose => ({ image: imageOf(name), labels: { test: name } });
    const names = ['pass', 'fail', 'garbage', 'silence', 'crash', 'slow', 'never-pushed'];
    const stages = [
      { parallel: true, tests: names.map(own) },
      // It begins when the time of the others is over.
      { tests: [own('pass')] },
    ];
    const run = await scorecard(['-o', 'json', '-w', '1m'], (bundle) => {
      bundle.files['tests/scorecard/config.yaml'] = { ...configuration(), stages };
    });
    expect(run.code, run.stderr).toBe(1);
    const { items } = JSON.parse(run.stdout) as { items: Loose[] };
    const none = { creationTimestamp: null };
    const passed = {
      ...none,
      name: 'pass',
      state: 'pass',
      log: `/bundle/manifests/csv.yaml in ${namespace}`,
    };
    const suggestions = [expect.stringContaining('print one JSON document and nothing else')];
    const late = 'the test did not end within 1m';
    // What a busy kubelet says of a volume that it mounts later is no part of this.
    for (const { errors } of items.flatMap(({ status }) => status.results as { errors?: string[] }[]))
      if (errors !== undefined)
        errors.splice(0, errors.length, ...errors.filter((each) => !each.startsWith('event: FailedMount')));
    expect(items.map(({ status }) => status.results)).toEqual([
      [passed],
      [
        { ...none, name: 'one', state: 'fail', errors: ['first', 'second'], suggestions: ['do this'] },
        { ...none, name: 'two', state: 'pass' },
      ],
      [
        {
          ...none,
          name: 'garbage',
          state: 'error',
          log: 'this is not json\n',
          errors: ['the log of container scorecard-test is not JSON'],
          suggestions,
        },
      ],
      [
        {
          ...none,
          name: 'silence',
          state: 'error',
          errors: ['the log of container scorecard-test is empty'],
          suggestions,
        },
      ],
      [
        {
          ...none,
          name: 'crash',
          state: 'error',
          log: 'about to crash\n',
          errors: [
            'container scorecard-test ended with exit code 3: Error',
            'the log of container scorecard-test is not JSON',
          ],
          suggestions,
        },
      ],
      [
        {
          ...none,
          name: 'slow',
          state: 'error',
          log: 'still at it\n',
          errors: [late, 'container scorecard-test is still running'],
          suggestions: ['give the test more time: --wait-time 2m'],
        },
      ],
      [
        {
          ...none,
          name: 'never-pushed',
          state: 'error',
          errors: expect.arrayContaining([
            late,
            expect.stringMatching(
              /^container scorecard-test \(\S+never-pushed:v1\): (?:ErrImagePull|ImagePullBackOff)/,
            ),
          ]) as unknown,
          // No time would help.
          suggestions: expect.arrayContaining(['push the image, and check its name']) as unknown,
        },
      ],
      [passed],
    ]);
    await expectNothingLeft();
  });

  describe.skipIf(!hasRecording)('printed as operator-sdk prints it', () => {
    const without = ['custom-garbage', 'custom-silent', 'custom-crash'];
    const equal = ['custom-ok', 'basic-check-spec-test'];
    /** The output of the recorded configuration. */
    const printed = async (format: string): Promise<string> => {
      const run = await scorecard(['-c', recordedConfig, '-w', '120s', '-o', format]);
      expect(run.code, run.stderr).toBe(1);
      return run.stdout;
    };

    test('json', async () => {
      const output = await printed('json');
      const [ours, theirs] = [jsonEntries(output), jsonEntries(recordedOutput('json'))];
      expect(new Set(ours.keys())).toEqual(new Set(theirs.keys()));
      expect([...theirs.keys()]).toEqual(expect.arrayContaining([...equal, ...without]));
      for (const name of equal) expect(ours.get(name)).toEqual(theirs.get(name));
      for (const name of without) expect(jsonForm(ours.get(name))).toEqual(jsonForm(theirs.get(name)));
      // What a test finds in its Pod.
      const log = ours.get('custom-files')?.status.results[0].log as string;
      expect(log).toContain(`SCORECARD_NAMESPACE=${namespace}\n`);
      await expectNothingLeft();
    });

    test('text', async () => {
      const [ours, theirs] = [textEntries(await printed('text')), textEntries(recordedOutput('txt'))];
      expect(new Set(ours.keys())).toEqual(new Set(theirs.keys()));
      for (const name of equal) expect(ours.get(name)).toBe(theirs.get(name));
      for (const name of without)
        expect(textForm(ours.get(name) ?? '')).toBe(textForm(theirs.get(name) ?? 'not recorded'));
    });

    test('xunit', async () => {
      const [ours, theirs] = [xmlEntries(await printed('xunit')), xmlEntries(recordedOutput('xml'))];
      expect(new Set(ours.keys())).toEqual(new Set(theirs.keys()));
      for (const name of equal) expect(ours.get(name)).toBe(theirs.get(name));
      for (const name of without)
        expect(xmlForm(ours.get(name) ?? '')).toBe(xmlForm(theirs.get(name) ?? 'not recorded'));
    });
  });
});
