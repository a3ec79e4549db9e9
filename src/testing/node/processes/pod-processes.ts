import { join } from 'node:path';
import type { Guardian } from '../../../base/process/guardian.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { Clock } from '../../../sdk/net/index.ts';
import type { Pod, Service, ServiceAccountTokenProjection } from '../../../sdk/k8s/generated/core/v1.ts';
import type { ContainerRuntime } from '../container-runtime.ts';
import type { Mirror } from '../mirror.ts';
import type { Mirrors } from '../mirrors.ts';
import type { ConfigSources } from '../pod-references.ts';
import type { AddressBlock } from './address-block.ts';
import { answerNames } from './name-lookup.js';
import { NameServer, type ProgramSettings } from './name-server.ts';
import type { PodToken } from './pod-folder.ts';
import { ProcessRuntime } from './process-runtime.ts';
import type { Processes } from './run-processes.ts';
import { ServiceProxies } from './service-proxies.ts';

/** Parts of a control plane that processes of its Pods need. */
export interface ProcessHost {
  readonly guardian: Pick<Guardian, 'spawn'>;
  /** Folder that is removed with the control plane. */
  readonly folder: string;
  /** Certificate of the API server, in PEM. */
  readonly caCertificate: string;
  /** Returns a kubeconfig for a ServiceAccount whose token is in a file. */
  readonly kubeconfig: (
    account: { readonly namespace: string; readonly name: string },
    tokenFile: string,
  ) => string;
}

interface StartProcessesOptions {
  readonly processes: Processes;
  readonly block: AddressBlock;
  readonly host: ProcessHost;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly sources: ConfigSources;
  readonly mirrors: Pick<Mirrors, 'claims' | 'services'>;
  readonly otherwise: ContainerRuntime;
  readonly onError: (error: unknown) => void;
}

/** Time between two looks at the tokens of Pods, in milliseconds. */
const tokenInterval = 60_000;

/** Processes of Pods, with names and Services by which they find each other. */
export class PodProcesses {
  readonly runtime: ContainerRuntime;
  /** Settings of programs outside of Pods that find the names of Pods and Services. */
  readonly programSettings: ProgramSettings;
  readonly #runtime: ProcessRuntime;
  readonly #proxies: ServiceProxies;
  readonly #names: NameServer;
  readonly #ends: (() => void)[] = [];
  #pods: Mirror<Pod> | undefined;

  constructor({ host, client, mirrors, ...options }: StartProcessesOptions) {
    const { block, clock, onError } = options;
    this.#runtime = new ProcessRuntime({
      ...options,
      guardian: host.guardian,
      socketFolder: host.folder,
      root: join(host.folder, 'kubelet'),
      caCertificate: host.caCertificate,
      volumeOf: (namespace, claim) => mirrors.claims.find(namespace, claim)?.spec?.volumeName,
      token: (pod, projection) => requestToken(client, pod, projection),
      kubeconfig: ({ metadata, spec }, tokenFile) =>
        host.kubeconfig(
          { namespace: metadata.namespace ?? 'default', name: spec?.serviceAccountName ?? 'default' },
          tokenFile,
        ),
    });
    this.runtime = this.#runtime;
    this.#proxies = new ServiceProxies({ block, pods: () => this.#pods?.all() ?? [], onError });
    for (const service of mirrors.services.all()) this.#proxies.take(undefined, service);
    this.#ends.push(answerNames((name) => block.find(name)));
    // An operator asks for the address of a Pod before it creates the Pod.
    this.#names = new NameServer(host.folder, (name) => block.lookup(name), onError);
    this.programSettings = this.#names.settings;
    let cancel = (): void => undefined;
    const loop = (): void => {
      this.update();
      cancel = clock.after(tokenInterval, loop);
    };
    loop();
    this.#ends.push(() => cancel());
  }

  /** Lets Services lead to Pods. */
  follow(pods: Mirror<Pod>): void {
    this.#pods = pods;
  }

  takeService(before: Service | undefined, after: Service | undefined): void {
    this.#proxies.take(before, after);
  }

  /** Writes ConfigMaps, Secrets and tokens again, if they have changed. */
  update(): void {
    this.#runtime.update();
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#names.close();
    await this.#proxies.close();
  }
}

/** Requests a token as a kubelet does: bound to the Pod, and renewed after four fifths of its time. Source: kubelet, `token_manager.go`. */
async function requestToken(
  client: KubeClient,
  { metadata, spec }: Pod,
  { audience, expirationSeconds = 3600 }: ServiceAccountTokenProjection,
): Promise<PodToken> {
  const account = spec?.serviceAccountName ?? 'default';
  const { name, namespace, uid } = metadata;
  const answer = await client.raw.request({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        ...(audience === undefined ? {} : { audiences: [audience] }),
        expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    },
  });
  const { token } = answer.json<{ readonly status: { readonly token: string } }>().status;
  return { token, renewAfter: expirationSeconds * 800 };
}
