import parseSpdx from 'spdx-expression-parse';
import type { BundledPackage } from './bundled-packages.ts';

/** The image that a bill of materials describes. */
export interface SbomImage {
  /** Name without tag and digest: `registry.example.com/team/operator`. */
  readonly name: string;
  readonly tag: string;
  /** Digest of the image: `sha256:…` */
  readonly digest: string;
}

/** Base of the image. */
export interface SbomBase {
  /** Name without tag and digest, such as `docker.io/library/node`, or the folder of a layout on disk, such as `oci:base`. */
  readonly name: string;
  readonly tag?: string;
  /** Digest of the base: `sha256:…` */
  readonly digest: string;
  /** True for a layout on disk, which no package URL can name. */
  readonly isLocal: boolean;
  /** Version of Node in the base, such as `24.3.0`; undefined if the base does not state it. */
  readonly node: string | undefined;
}

interface SbomOptions {
  readonly image: SbomImage;
  readonly base: SbomBase;
  readonly packages: readonly BundledPackage[];
  /** Packages that the operator's own code imports, as `name@version`. */
  readonly directPackages: readonly string[];
  /** Version of op-sdk. */
  readonly toolVersion: string;
}

/** Media type of a bill of materials in the JSON form of CycloneDX. Source: IANA's registry of media types. */
export const sbomMediaType = 'application/vnd.cyclonedx+json';

/**
 * Returns the bill of materials of an operator's image: the packages in the bundle with their versions and licenses, the base image, and
 * Node. Packages of the base's distribution are not listed, since they are not read. The document states neither a time nor a serial
 * number, so that equal images give equal bytes.
 * @see https://cyclonedx.org/docs/1.5/json
 */
export function imageSbom({ image, base, packages, directPackages, toolVersion }: SbomOptions): Buffer {
  const subject = imageComponent(image);
  const baseImage = imageComponent(base);
  const node = base.node === undefined ? [] : [nodeComponent(base.node)];
  const libraries = packages.map(libraryComponent);
  const refs = new Map(
    packages.map((each, index) => [`${each.name}@${each.version}`, libraries[index]?.['bom-ref']]),
  );
  const refsOf = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => refs.get(id) ?? []);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'op-sdk', version: toolVersion }] },
      component: subject,
    },
    components: [baseImage, ...node, ...libraries],
    dependencies: [
      { ref: subject['bom-ref'], dependsOn: [baseImage['bom-ref'], ...refsOf(directPackages)] },
      { ref: baseImage['bom-ref'], dependsOn: node.map((each) => each['bom-ref']) },
      ...node.map((each) => ({ ref: each['bom-ref'], dependsOn: [] })),
      ...libraries.map((each, index) => ({
        ref: each['bom-ref'],
        dependsOn: refsOf(packages[index]?.imports ?? []),
      })),
    ],
  };
  return Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`);
}

/** Part of a bill of materials. */
interface Component {
  readonly type: 'container' | 'platform' | 'library';
  /** Name by which other parts of the document refer to this one: its package URL or, without one, its digest. */
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

function imageComponent(image: SbomImage | SbomBase): Component {
  const { name, tag, digest } = image;
  const isLocal = 'isLocal' in image && image.isLocal;
  const purl = isLocal ? undefined : imageUrl(name, tag, digest);
  return {
    type: 'container',
    'bom-ref': purl ?? digest,
    name,
    version: tag ?? digest,
    hashes: [{ alg: 'SHA-256', content: digest.slice('sha256:'.length) }],
    ...(purl === undefined ? {} : { purl }),
  };
}

/** @see https://github.com/package-url/purl-spec/blob/main/types-doc/oci-definition.md */
function imageUrl(name: string, tag: string | undefined, digest: string): string {
  const query = new URLSearchParams({ repository_url: name, ...(tag === undefined ? {} : { tag }) });
  const last = name.slice(name.lastIndexOf('/') + 1);
  return `pkg:oci/${encodeURIComponent(last)}@${encodeURIComponent(digest)}?${query.toString()}`;
}

function nodeComponent(version: string): Component {
  const purl = `pkg:generic/node@${encodeURIComponent(version)}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    licenses: [{ license: { id: 'MIT' } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl,
  };
}

function libraryComponent({ name, version, license }: BundledPackage): Component {
  const purl = `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: 'required',
    ...(license === undefined ? {} : { licenses: [licenseChoice(license)] }),
    purl,
  };
}

/** Returns a license in the form that suits it: a known identifier, an expression, or any other text as a name. */
function licenseChoice(license: string): object {
  try {
    const parsed = parseSpdx(license);
    const isOne = 'license' in parsed && parsed.license === license && !license.startsWith('LicenseRef-');
    return isOne ? { license: { id: license } } : { expression: license };
  } catch {
    return { license: { name: license } };
  }
}
