import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';

/** A typed property of a bundle. */
export interface BundleProperty {
  readonly type?: string;
  readonly value?: unknown;
}

/** Which version of which package a bundle is. */
export interface PackageProperty {
  readonly packageName: string;
  readonly version: string;
  readonly release: string;
}

/** The property `olm.package` of a bundle; undefined unless there is exactly one. */
export function packageProperty(properties: readonly BundleProperty[]): PackageProperty | undefined {
  const [only, second] = properties.filter(({ type }) => type === 'olm.package');
  if (only === undefined || second !== undefined) return undefined;
  const value = jsonMapOf(only.value);
  return {
    packageName: jsonTextOf(value['packageName']),
    version: jsonTextOf(value['version']),
    release: jsonTextOf(value['release']),
  };
}
