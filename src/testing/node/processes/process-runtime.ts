import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guardian } from '../../../base/process/guardian.ts';
import type { Clock } from '../../../sdk/net/index.ts';
import type { Container, Pod } from '../../../sdk/k8s/generated/core/v1.ts';
import type { ContainerReports, ContainerRun, ContainerRuntime, PodOnNode } from '../container-runtime.ts';
import type { AddressBlock } from './address-block.ts';
import { environmentOf, expandVariables } from './pod-environment.ts';
import { PodFolder, type PodFolderOptions } from './pod-folder.ts';
import { ProcessRun, type PreparedProcess } from './process-run.ts';
import { replaceMounts } from './replace-mounts.ts';
import { processFor, type Processes, type ProcessFor } from './run-processes.ts';

export interface ProcessRuntimeOptions extends PodFolderOptions {
  readonly processes: Processes;
  readonly guardian: Pick<Guardian, 'spawn'>;
  /** Folder for sockets, whose path must be short. */
  readonly socketFolder: string;
  readonly block: AddressBlock;
  readonly clock: Clock;
  readonly now: () => Date;
  /** Runs containers whose image has no process. */
  readonly otherwise: ContainerRuntime;
}

interface PodProcesses {
  readonly folder: PodFolder;
  readonly made: Promise<void>;
  readonly runs: Set<Promise<void>>;
  count: number;
}

/** Runs containers as processes of this machine, without root. */
export class ProcessRuntime implements ContainerRuntime {
  readonly #options: ProcessRuntimeOptions;
  readonly #pods = new Map<string, PodProcesses>();
  /** The last run of each container by address and name. The next run, even in another Pod, starts only after the last one has ended. */
  readonly #lastRuns = new Map<string, Promise<void>>();

  constructor(options: ProcessRuntimeOptions) {
    this.#options = options;
  }

  start(place: PodOnNode, container: Container, reports: ContainerReports): ContainerRun {
    const { processes, otherwise, guardian, clock, now, socketFolder } = this.#options;
    const choose = processFor(processes, container.image ?? '');
    if (choose === undefined) return otherwise.start(place, container, reports);
    const pod = this.#podOf(place);
    const key = `${place.podIP} ${container.name}`;
    const before = this.#lastRuns.get(key);
    const files = join(pod.folder.path, `${container.name}-${++pod.count}`);
    const run = new ProcessRun({
      ...{ guardian, clock, now, place, container, reports, socketFolder },
      logFile: `${files}.log`,
      prepare: async () => {
        await before;
        await pod.made;
        return this.#prepare(choose, place, container, {
          folder: pod.folder,
          messageFile: `${files}.message`,
        });
      },
    });
    this.#lastRuns.set(key, run.ended);
    pod.runs.add(run.ended);
    void run.ended.then(() => pod.runs.delete(run.ended));
    return run;
  }

  forget({ metadata: { uid = '' } }: Pod): void {
    const pod = this.#pods.get(uid);
    this.#pods.delete(uid);
    // If a file is still in use, the folder remains. The guardian removes it in the end.
    if (pod !== undefined)
      void Promise.all([pod.made, ...pod.runs])
        .then(() => pod.folder.remove())
        .catch(() => undefined);
  }

  /** Writes changed ConfigMaps and Secrets into the volumes of all Pods. */
  update(): void {
    // Objects that are missing now are written when they exist again.
    for (const { folder } of this.#pods.values()) void folder.update().catch(() => undefined);
  }

  #podOf(place: PodOnNode): PodProcesses {
    const { uid = '' } = place.pod.metadata;
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const folder = new PodFolder(place, this.#options);
    const pod = { folder, made: folder.make(), runs: new Set<Promise<void>>(), count: 0 };
    // The runs of its containers report a failure.
    pod.made.catch(() => undefined);
    this.#pods.set(uid, pod);
    return pod;
  }

  async #prepare(
    choose: ProcessFor,
    place: PodOnNode,
    container: Container,
    { folder, messageFile }: { readonly folder: PodFolder; readonly messageFile: string },
  ): Promise<PreparedProcess> {
    const { sources, block } = this.#options;
    const given = environmentOf(place, container, sources);
    const mounts = await folder.mounts(container, given);
    await writeFile(messageFile, '');
    const paths = { [container.terminationMessagePath ?? '/dev/termination-log']: messageFile, ...mounts };
    const translate = (text: string): string => block.replaceNames(replaceMounts(text, paths));
    const kubeconfig = await folder.kubeconfig(mounts);
    const env = {
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, translate(value)])),
      ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
    };
    const words = (texts: readonly string[] = []): string[] =>
      texts.map((text) => translate(expandVariables(text, given)));
    const {
      file,
      args = [],
      env: more = {},
    } = await choose({
      ...{ pod: place.pod, container, mounts, env, folder: folder.path, address: place.podIP },
      command: words(container.command),
      args: words(container.args),
      resolve: (name) => block.resolve(name),
    });
    const { PATH = '' } = process.env;
    const { workingDir = '' } = container;
    const cwd = replaceMounts(workingDir, mounts);
    return {
      file,
      args,
      env: {
        PATH,
        HOME: folder.path,
        HOSTNAME: place.pod.spec?.hostname ?? place.pod.metadata.name ?? '',
        ...env,
        ...more,
      },
      // A folder of the image is not there.
      cwd: cwd === workingDir ? folder.path : cwd,
      messageFile,
      translate,
    };
  }
}
