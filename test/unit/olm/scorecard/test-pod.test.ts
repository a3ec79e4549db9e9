import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testPod, type TestPodSettings } from '../../../../src/olm/scorecard/test-pod.ts';

const settings: TestPodSettings = {
  namespace: 'demo',
  serviceAccount: 'tester',
  untarImage: 'example.com/untar:v1',
  podSecurity: 'legacy',
  configMap: 'scorecard-test-abcd',
};
const spec = { image: 'example.com/tests:v1', entrypoint: ['/tests', 'ready'] };

test('the Pod of a test', () => {
  expect(testPod('scorecard-test-1', spec, settings)).toMatchInlineSnapshot(`
    {
      "apiVersion": "v1",
      "kind": "Pod",
      "metadata": {
        "labels": {
          "app": "scorecard-test",
          "testrun": "scorecard-test-abcd",
        },
        "name": "scorecard-test-1",
        "namespace": "demo",
      },
      "spec": {
        "containers": [
          {
            "command": [
              "/tests",
              "ready",
            ],
            "env": [
              {
                "name": "SCORECARD_NAMESPACE",
                "valueFrom": {
                  "fieldRef": {
                    "fieldPath": "metadata.namespace",
                  },
                },
              },
            ],
            "image": "example.com/tests:v1",
            "imagePullPolicy": "IfNotPresent",
            "name": "scorecard-test",
            "volumeMounts": [
              {
                "mountPath": "/bundle",
                "name": "scorecard-untar",
                "readOnly": true,
              },
            ],
          },
        ],
        "initContainers": [
          {
            "args": [
              "tar",
              "xvzf",
              "/scorecard/bundle.tar.gz",
              "-C",
              "/scorecard-bundle",
            ],
            "image": "example.com/untar:v1",
            "imagePullPolicy": "IfNotPresent",
            "name": "scorecard-untar",
            "volumeMounts": [
              {
                "mountPath": "/scorecard",
                "name": "scorecard-bundle",
                "readOnly": true,
              },
              {
                "mountPath": "/scorecard-bundle",
                "name": "scorecard-untar",
              },
            ],
          },
        ],
        "restartPolicy": "Never",
        "serviceAccountName": "tester",
        "volumes": [
          {
            "configMap": {
              "name": "scorecard-test-abcd",
            },
            "name": "scorecard-bundle",
          },
          {
            "emptyDir": {},
            "name": "scorecard-untar",
          },
        ],
      },
    }
  `);
});

test('--pod-security restricted adds what the standard demands, and nothing else', () => {
  const container = {
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
    },
  };
  const legacy = testPod('a', spec, settings);
  const restricted = testPod('a', spec, { ...settings, podSecurity: 'restricted' });
  expect(restricted).toEqual({
    ...legacy,
    spec: {
      ...legacy.spec,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      initContainers: legacy.spec?.initContainers?.map((each) => ({ ...each, ...container })),
      containers: legacy.spec?.containers?.map((each) => ({ ...each, ...container })),
    },
  });
});

test('an image with an entrypoint of its own', () => {
  const pod = testPod('a', { ...spec, entrypoint: [] }, settings);
  expect(pod.spec?.containers?.[0]).not.toHaveProperty('command');
});

const recording = join(
  import.meta.dirname,
  '../../../../../shared/data/olm/recordings/scorecard-custom/events.jsonl',
);
if (!existsSync(recording)) console.warn(`skipped: the recording is missing (${recording})`);

interface RecordedPod {
  readonly metadata: { readonly name: string; readonly namespace: string; labels: Record<string, string> };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly initContainers: readonly [{ readonly image: string }];
    readonly containers: readonly [{ readonly image: string; readonly command: readonly string[] }];
  };
}

describe.skipIf(!existsSync(recording))("operator-sdk's Pod", () => {
  test('is the same in all that was recorded of it', () => {
    const line = readFileSync(recording, 'utf8')
      .split('\n')
      .find((each) => each.includes('"kind":"Pod"') && each.includes('"type":"ADDED"'));
    const { object: theirs } = JSON.parse(line ?? '') as { object: RecordedPod };
    const [{ image, command }] = theirs.spec.containers;
    const ours = testPod(
      theirs.metadata.name,
      { image, entrypoint: command },
      {
        namespace: theirs.metadata.namespace,
        serviceAccount: theirs.spec.serviceAccountName,
        untarImage: theirs.spec.initContainers[0].image,
        podSecurity: 'legacy',
        configMap: theirs.metadata.labels['testrun'] ?? '',
      },
    );
    // Filled in by the API server: the rest of the metadata, the version of the field, the status.
    const { uid, resourceVersion, generation, creationTimestamp, ...metadata } = theirs.metadata as Record<
      string,
      unknown
    >;
    expect([uid, resourceVersion, generation, creationTimestamp]).not.toContain(undefined);
    expect(ours.metadata).toEqual(metadata);
    expect(ours.spec).toMatchObject(
      JSON.parse(JSON.stringify(theirs.spec).replaceAll('"apiVersion":"v1",', '')) as object,
    );
  });
});
