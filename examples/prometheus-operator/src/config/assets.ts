import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ConfigMapKeySelector, SecretKeySelector } from 'opsdk/k8s/core/v1';
import type { SecretOrConfigMap } from '../api/monitoring/v1/http-client.ts';
import type { Problems } from './problems.ts';

/** Object with credentials or certificates that a configuration refers to. */
export interface AssetObject {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly namespace: string;
  readonly name: string;
}

/** Decoded data of an object by its keys, or undefined for an object that does not exist. */
export type AssetData = Readonly<Record<string, string>> | undefined;

/**
 * Holds the data of Secrets and ConfigMaps that a configuration refers to. The references are known once the configuration was rendered, so
 * it is rendered twice: `unread` says which objects the first time has asked for.
 */
export class Assets {
  readonly #data = new Map<string, AssetData>();
  readonly #unread = new Map<string, AssetObject>();
  readonly #folder: string;

  /** @param folder in which the container finds the files */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Objects that were asked for and are not known yet. */
  get unread(): readonly AssetObject[] {
    return [...this.#unread.values()];
  }

  set(object: AssetObject, data: AssetData): void {
    const id = idOf(object);
    this.#data.set(id, data);
    this.#unread.delete(id);
  }

  /** Returns the values of an object with a namespace. */
  in(namespace: string, problems: Problems): NamespacedAssets {
    return new NamespacedAssets(this, namespace, problems, this.#folder);
  }

  /** Returns the value of a key; undefined if it is missing, which is reported. */
  value(object: AssetObject, key: string, path: string, problems: Problems): string | undefined {
    const id = idOf(object);
    if (!this.#data.has(id)) {
      this.#unread.set(id, object);
      return '';
    }
    const data = this.#data.get(id);
    const place = `${object.kind} ${object.namespace}/${object.name}`;
    if (data === undefined) problems.add(path, `${place} does not exist`);
    else if (data[key] === undefined) problems.add(path, `${place} has no key "${key}"`);
    return data?.[key];
  }
}

/** Reads what an object refers to in its own namespace, and gathers the files that its jobs need. */
export class NamespacedAssets {
  /** Files by their names, which its jobs refer to by their paths. */
  readonly files = new Map<string, string>();
  readonly #assets: Assets;
  readonly #namespace: string;
  readonly #problems: Problems;
  readonly #folder: string;

  constructor(assets: Assets, namespace: string, problems: Problems, folder: string) {
    this.#assets = assets;
    this.#namespace = namespace;
    this.#problems = problems;
    this.#folder = folder;
  }

  secret(selector: SecretKeySelector | undefined, path: string): string | undefined {
    return selector && this.#read('Secret', selector, path)?.value;
  }

  /** Returns a value of a Secret or a ConfigMap. */
  either(source: SecretOrConfigMap | undefined, path: string): string | undefined {
    return this.#readEither(source, path)?.value;
  }

  /** Returns the path of a file with a certificate. */
  certificateFile(source: SecretOrConfigMap | undefined, path: string): string | undefined {
    return this.#file(
      this.#readEither(source, path),
      path,
      'certificate',
      (text) => new X509Certificate(text),
    );
  }

  /** Returns the path of a file with a private key. */
  keyFile(selector: SecretKeySelector | undefined, path: string): string | undefined {
    const read = selector && this.#read('Secret', selector, path);
    return this.#file(read, path, 'private key', (text) => createPrivateKey(text));
  }

  #readEither(source: SecretOrConfigMap | undefined, path: string): ReadAsset | undefined {
    if (source?.secret !== undefined && source.configMap !== undefined)
      this.#problems.add(path, 'expected one of secret and configMap, got both');
    if (source?.secret !== undefined) return this.#read('Secret', source.secret, `${path}.secret`);
    return source?.configMap && this.#read('ConfigMap', source.configMap, `${path}.configMap`);
  }

  #read(
    kind: AssetObject['kind'],
    { name = '', key }: SecretKeySelector | ConfigMapKeySelector,
    path: string,
  ): ReadAsset | undefined {
    if (name === '') {
      this.#problems.add(`${path}.name`, 'is required');
      return undefined;
    }
    const object = { kind, namespace: this.#namespace, name };
    const value = this.#assets.value(object, key, path, this.#problems);
    return value === undefined
      ? undefined
      : { value, file: `${kind.toLowerCase()}_${this.#namespace}_${name}_${key}` };
  }

  #file(
    read: ReadAsset | undefined,
    path: string,
    what: string,
    parse: (text: string) => unknown,
  ): string | undefined {
    if (read === undefined) return undefined;
    try {
      if (read.value !== '') parse(read.value);
    } catch {
      // The error of OpenSSL may quote what it was given.
      this.#problems.add(path, `expected a ${what} in the form PEM`);
    }
    this.files.set(read.file, read.value);
    return `${this.#folder}/${read.file}`;
  }
}

interface ReadAsset {
  readonly value: string;
  /** Name of a file with the value: no two keys have the same one, since namespaces and names have no underscore. */
  readonly file: string;
}

function idOf({ kind, namespace, name }: AssetObject): string {
  return `${kind} ${namespace}/${name}`;
}
