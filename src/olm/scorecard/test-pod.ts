import { readdir } from 'node:fs/promises';
import type { ConfiguredTest } from '../bundle/index.ts';
import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { CreateObject } from '../../sdk/kube/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { createLayer, folderEntries, type Place } from '../../images/index.ts';
import { isLeftover } from '../../base/util/folders.ts';

/** Settings shared by all Pods of a test run. */
export interface TestPodSettings {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Image of the init container, whose `tar` command unpacks the bundle. */
  readonly untarImage: string;
  /** `restricted`: the Pods comply with the Pod Security Standard `restricted`. */
  readonly podSecurity: 'legacy' | 'restricted';
  /** Name of the ConfigMap with the bundle. The name is also the value of the label `testrun`. */
  readonly configMap: string;
}

/** Labels of all objects that scorecard creates. */
export const scorecardLabels = { app: 'scorecard-test' } as const;
/** Key of the bundle in the ConfigMap. */
export const bundleKey = 'bundle.tar.gz';
/** Name of the container whose log contains the results. */
export const testContainer = 'scorecard-test';

/**
 * Returns the Pod that runs a test. Test images rely on its form: the bundle is in /bundle, the variable SCORECARD_NAMESPACE contains the
 * namespace, and the log must contain the result. Source: operator-sdk `internal/scorecard/testpod.go`.
 */
export function testPod(
  name: string,
  { image, entrypoint }: Pick<ConfiguredTest, 'image' | 'entrypoint'>,
  { namespace, serviceAccount, untarImage, podSecurity, configMap }: TestPodSettings,
): CreateObject<Pod> {
  const isRestricted = podSecurity === 'restricted';
  const common = {
    imagePullPolicy: 'IfNotPresent',
    ...(isRestricted
      ? {
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            runAsNonRoot: true,
          },
        }
      : {}),
  } as const;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { ...scorecardLabels, testrun: configMap } },
    spec: {
      serviceAccountName: serviceAccount,
      restartPolicy: 'Never',
      ...(isRestricted
        ? { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } }
        : {}),
      initContainers: [
        {
          name: 'scorecard-untar',
          image: untarImage,
          args: ['tar', 'xvzf', `/scorecard/${bundleKey}`, '-C', '/scorecard-bundle'],
          volumeMounts: [
            { name: 'scorecard-bundle', mountPath: '/scorecard', readOnly: true },
            { name: 'scorecard-untar', mountPath: '/scorecard-bundle' },
          ],
          ...common,
        },
      ],
      containers: [
        {
          name: testContainer,
          image,
          ...(entrypoint.length === 0 ? {} : { command: [...entrypoint] }),
          env: [
            { name: 'SCORECARD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
          ],
          volumeMounts: [{ name: 'scorecard-untar', mountPath: '/bundle', readOnly: true }],
          ...common,
        },
      ],
      volumes: [
        { name: 'scorecard-bundle', configMap: { name: configMap } },
        { name: 'scorecard-untar', emptyDir: {} },
      ],
    },
  };
}

/**
 * Returns the files of a bundle as a gzipped tar archive. Test images find its files in /bundle.
 *
 * @throws OpSdkError `oci/unfit-file`, `io/cannot-read`
 */
export async function bundleArchive(bundle: Place): Promise<Uint8Array> {
  const findings = new FindingList();
  const names = (await readdir(bundle.path)).filter((name) => !isLeftover(name));
  const entries = await folderEntries(bundle, names.sort(), findings);
  findings.throwIfAny();
  return createLayer(entries, '').bytes;
}
