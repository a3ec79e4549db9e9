import { gunzipSync } from 'node:zlib';
import { ConfigMap, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';

/** Remembers every configuration and rule file that an operator writes. */
export class ConfigRecorder implements AsyncDisposable {
  /** Texts of all configurations of Prometheus, without doubles. */
  readonly configs = new Set<string>();
  /** Texts of all rule files, without doubles. */
  readonly rules = new Set<string>();
  readonly #abort = new AbortController();
  readonly #ended: Promise<unknown>;

  private constructor(client: KubeClient, namespace: string) {
    const { signal } = this.#abort;
    const watch = async (): Promise<void> => {
      for await (const event of client.watch(Secret, { namespace, signal }))
        if (event.type !== 'BOOKMARK') this.#secret(event.object.data ?? {});
    };
    const watchRules = async (): Promise<void> => {
      for await (const event of client.watch(ConfigMap, { namespace, signal }))
        if (event.type !== 'BOOKMARK') this.#configMap(event.object.data ?? {});
    };
    this.#ended = Promise.allSettled([watch(), watchRules()]);
  }

  static start(client: KubeClient, namespace: string): ConfigRecorder {
    return new ConfigRecorder(client, namespace);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#ended;
  }

  #secret(data: Readonly<Record<string, string>>): void {
    const { 'prometheus.yaml.gz': zipped, 'prometheus.yaml': plain } = data;
    if (zipped !== undefined) this.configs.add(gunzipSync(Buffer.from(zipped, 'base64')).toString());
    if (plain !== undefined) this.configs.add(Buffer.from(plain, 'base64').toString());
  }

  #configMap(data: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(data)) if (name.endsWith('.yaml')) this.rules.add(text);
  }
}
