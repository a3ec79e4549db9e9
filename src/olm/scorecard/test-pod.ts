import { readdir } from 'node:fs/promises';
import type { ConfiguredTest } from '../bundle/index.ts';
import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { CreateObject } from '../../sdk/kube/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { createLayer, folderEntries, type Place } from '../../images/index.ts';
import { isLeftover } from '../../base/util/folders.ts';

/** Settings shared by the Pods of a run. */
export interface TestPodSettings {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The image of the init container: its `tar` unpacks the bundle. */
  readonly untarImage: string;
  /** `restricted`: complies with the Pod Security Standard of this name. */
  readonly podSecurity: 'legacy' | 'restricted';
  /** The ConfigMap with the bundle, whose name is also the label `testrun`. */
  readonly configMap: string;
}

/** The label of everything that scorecard creates. */
export const scorecardLabels = { app: 'scorecard-test' } as const;
/** The key of the ConfigMap. */
export const bundleKey = 'bundle.tar.gz';
/** The container whose log holds the results. */
export const testContainer = 'scorecard-test';

/**
 * The Pod that runs a test, which is the contract with test images: the bundle lies in /bundle, the namespace is in
 * SCORECARD_NAMESPACE, and the log is the result. Source: operator-sdk `internal/scorecard/testpod.go`.
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
 * Returns the files of a bundle as a gzipped tar archive, which test images find unpacked in /bundle.
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
