import type { ApplyObject } from 'opsdk';
import type { Job } from 'opsdk/k8s/batch/v1';
import type { Container, Volume } from 'opsdk/k8s/core/v1';
import { permanentFailure } from './exit-code.ts';
import { containerSecurity, podSecurity, workFolder, type StoragePod } from './storage-pod.ts';

/** Seconds for which a Job that has ended is kept for its log. */
const keepSeconds = 86_400;

/** Seconds that the Pods of a Job may take besides the program: to be scheduled, to pull the image, and for two further attempts. */
const spareSeconds = 300;

interface StorageJobOptions extends Pick<StoragePod, 'volume' | 'mount'> {
  /** The container, which runs the program of the operator's image. */
  readonly container: Pick<Container, 'name' | 'image' | 'args'>;
  /** Labels of the Pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds that the program may take. */
  readonly timeoutSeconds: number;
  /** Further volumes, each with its mount. Default: none. */
  readonly more?: readonly { readonly volume: Volume; readonly mount: StoragePod['mount'] }[];
}

/** Returns a Job whose Pods run the program with a place of backups and a folder to work in. */
export function storageJobSpec({
  container,
  labels,
  timeoutSeconds,
  volume,
  mount,
  more = [],
}: StorageJobOptions): NonNullable<ApplyObject<Job>['spec']> {
  const all = [{ volume, mount }, ...more];
  return {
    backoffLimit: 2,
    activeDeadlineSeconds: timeoutSeconds + spareSeconds,
    ttlSecondsAfterFinished: keepSeconds,
    // Another attempt does not mend a Secret or a path.
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onExitCodes: { containerName: container.name, operator: 'In', values: [permanentFailure] },
        },
      ],
    },
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: podSecurity,
        containers: [
          {
            ...container,
            securityContext: containerSecurity,
            resources: { requests: { cpu: '50m', memory: '128Mi' } },
            volumeMounts: [{ name: 'work', mountPath: workFolder }, ...all.map((each) => each.mount)],
          },
        ],
        volumes: [{ name: 'work', emptyDir: {} }, ...all.map((each) => each.volume)],
      },
    },
  };
}
