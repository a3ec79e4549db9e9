import type { FindingList } from '../../errors/index.ts';
import type { Evaluated, EvaluatedProperty, SourcePlace } from '../../schema/index.ts';
import type { ManifestDocument } from '../manifest-document.ts';
import { invalidDeclaration, isAbsent, readObject, readScalar, readStrings } from '../read-value.ts';
import type { PlacedParts } from './kind-version.ts';

/**
 * Reads `conversion` of defineResource, whatever it says: the rules judge the CustomResourceDefinition.
 * @returns `spec.conversion` of the CRD; undefined if a part of it could not be read
 */
export function readConversion(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): PlacedParts<ManifestDocument> | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const read = new Reader(findings);
  const names = ['strategy', 'clientConfig', 'conversionReviewVersions'];
  const fields = read.object(property.value, '`conversion`', names, '');
  if (fields === undefined) return undefined;
  if (isAbsent(fields.get('strategy')) && read.isWhole)
    findings.add(
      invalidDeclaration(
        '`conversion` lacks `strategy`',
        property.value.place,
        "write `strategy: 'None'` or `strategy: 'Webhook'`",
      ),
    );
  const strategy = read.text(fields, 'strategy', '`conversion`', 'strategy');
  const webhook = {
    ...read.client(fields.get('clientConfig')),
    ...read.reviewVersions(fields.get('conversionReviewVersions')),
  };
  if (strategy['strategy'] === undefined || !read.isWhole) return undefined;
  const hasWebhook = Object.keys(webhook).length > 0;
  const value = { ...strategy, ...(hasWebhook ? { webhook } : {}) };
  return { value, place: property.place, parts: read.parts };
}

class Reader {
  /** By their paths in `spec.conversion`. */
  readonly parts = new Map<string, SourcePlace>();
  /** Whether everything could be evaluated and had its type. */
  isWhole = true;
  readonly #findings: FindingList;

  constructor(findings: FindingList) {
    this.#findings = findings;
  }

  object(
    value: Evaluated,
    what: string,
    names: readonly string[],
    path: string,
  ): ReadonlyMap<string, EvaluatedProperty> | undefined {
    const fields = readObject(this.#findings, value, what, names);
    if (fields === undefined || (value.type === 'object' && value.holes.length > 0)) this.isWhole = false;
    this.parts.set(path, value.place);
    return fields;
  }

  text(
    fields: ReadonlyMap<string, EvaluatedProperty>,
    name: string,
    what: string,
    path: string,
  ): ManifestDocument {
    return this.#scalar(fields, name, what, path, 'string');
  }

  #scalar(
    fields: ReadonlyMap<string, EvaluatedProperty>,
    name: string,
    what: string,
    path: string,
    type: 'string' | 'number',
  ): ManifestDocument {
    const field = fields.get(name);
    if (isAbsent(field)) return {};
    const read = readScalar(this.#findings, field, `\`${name}\` of ${what}`, type);
    if (read === undefined) {
      this.isWhole = false;
      return {};
    }
    this.parts.set(path, read.place);
    return { [name]: read.value };
  }

  reviewVersions(property: EvaluatedProperty | undefined): ManifestDocument {
    if (property === undefined || isAbsent(property)) return {};
    const versions = readStrings(
      this.#findings,
      property.value,
      '`conversionReviewVersions` of `conversion`',
    );
    if (versions === undefined) {
      this.isWhole = false;
      return {};
    }
    const path = 'webhook.conversionReviewVersions';
    this.parts.set(path, property.value.place);
    for (const [index, { place }] of versions.entries()) this.parts.set(`${path}.${index}`, place);
    return { conversionReviewVersions: versions.map(({ value }) => value) };
  }

  client(property: EvaluatedProperty | undefined): ManifestDocument {
    if (property === undefined || isAbsent(property)) return {};
    const [what, path] = ['`clientConfig` of `conversion`', 'webhook.clientConfig'];
    const fields = this.object(property.value, what, ['service', 'url', 'caBundle'], path);
    if (fields === undefined) return {};
    const service = this.#service(fields.get('service'), `${path}.service`);
    const clientConfig = {
      ...this.text(fields, 'caBundle', what, `${path}.caBundle`),
      ...service,
      ...this.text(fields, 'url', what, `${path}.url`),
    };
    return { clientConfig };
  }

  #service(property: EvaluatedProperty | undefined, path: string): ManifestDocument {
    if (property === undefined || isAbsent(property)) return {};
    const what = '`service` of `clientConfig`';
    const fields = this.object(property.value, what, ['namespace', 'name', 'path', 'port'], path);
    if (fields === undefined) return {};
    const service = {
      ...this.text(fields, 'name', what, `${path}.name`),
      ...this.text(fields, 'namespace', what, `${path}.namespace`),
      ...this.text(fields, 'path', what, `${path}.path`),
      ...this.#scalar(fields, 'port', what, `${path}.port`, 'number'),
    };
    return { service };
  }
}
