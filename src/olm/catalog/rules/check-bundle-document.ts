import { imageNameProblem, isRelease } from '../../bundle/index.ts';
import { type ReadOf, documentStyle, readJson } from '../../../base/util/read-json.ts';
import type { CatalogFindings } from '../findings.ts';
import { packageProperty, type BundleProperty } from '../read/parse-document.ts';
import { propertyValues, type bundleReader } from '../read/schemas.ts';
import type { DocumentSource } from '../types.ts';
import { parseSemver } from '../versions/range.ts';

type BundleDocument = ReadOf<typeof bundleReader>;

/** Maximum length of a bundle's release in characters. Source: operator-registry `alpha/model/versionrelease.go`. */
const longestRelease = 20;

/**
 * Checks a document of the schema `olm.bundle`. Does not check its references to other documents. Source: operator-registry
 * `alpha/declcfg/declcfg_to_model.go`, `alpha/model/model.go` `Bundle.Validate`, `alpha/property/property.go`.
 */
export function checkBundleDocument(
  source: DocumentSource,
  bundle: BundleDocument,
  findings: CatalogFindings,
): void {
  if ((bundle.name ?? '') === '')
    findings.add(
      'catalog/missing-name',
      [source, ['name']],
      'the bundle has no name',
      'write name: PACKAGE.vVERSION',
    );
  const properties = bundle.properties ?? [];
  for (const [index, property] of properties.entries()) checkProperty(source, index, property, findings);
  checkPackageProperty(source, bundle, findings);
  checkImages(source, bundle, findings);
}

function checkProperty(
  source: DocumentSource,
  index: number,
  { type = '', value }: BundleProperty,
  findings: CatalogFindings,
): void {
  const path = ['properties', index];
  if (value === undefined) {
    const message = `properties[${index}]: the property has no value`;
    findings.add('catalog/invalid-property', [source, path], message, 'write value, or remove the property');
    return;
  }
  const reader = Object.hasOwn(propertyValues, type)
    ? propertyValues[type as keyof typeof propertyValues]
    : undefined;
  if (reader === undefined || value === null) return;
  const { problems } = readJson<unknown>(reader, value, 'the value', {
    style: documentStyle,
    path: [...path, 'value'],
  });
  for (const problem of problems)
    findings.add(
      'catalog/invalid-property',
      [source, problem.path],
      `${type}: ${problem.message}`,
      problem.fix,
    );
}

function checkPackageProperty(
  source: DocumentSource,
  { name = '', package: packageName = '', properties = [] }: BundleDocument,
  findings: CatalogFindings,
): void {
  const own = packageProperty(properties);
  if (own === undefined) {
    const found = properties.filter(({ type }) => type === 'olm.package').length;
    findings.add(
      'catalog/invalid-property',
      [source, ['properties']],
      `bundle ${name}: expected exactly one property olm.package, got ${found}`,
      'write one with packageName and version',
    );
    return;
  }
  const index = properties.findIndex(({ type }) => type === 'olm.package');
  const at = (field: string) => [source, ['properties', index, 'value', field]] as const;
  if (own.packageName !== packageName)
    findings.add(
      'catalog/invalid-property',
      at('packageName'),
      `olm.package: packageName: expected ${JSON.stringify(packageName)} as in the field package of the bundle, got ${JSON.stringify(own.packageName)}`,
      'write the same name in both places',
    );
  const version = parseSemver(own.version);
  if (version === undefined)
    findings.add(
      'catalog/invalid-version',
      at('version'),
      `bundle ${name}: expected a version of Semantic Versioning, got ${JSON.stringify(own.version)}`,
      'write three numbers, such as 1.2.3',
    );
  if (own.release === '') return;
  if (!isRelease(own.release) || own.release.length > longestRelease)
    findings.add(
      'catalog/invalid-version',
      at('release'),
      `bundle ${name}: expected a release of up to ${longestRelease} characters, got ${JSON.stringify(own.release)}`,
      'write numbers and letters with dots between them, such as 1',
    );
  else checkRelease(at('release'), { ...own, name, packageName }, version?.build ?? [], findings);
}

function checkRelease(
  place: readonly [DocumentSource, readonly (string | number)[]],
  own: {
    readonly name: string;
    readonly packageName: string;
    readonly version: string;
    readonly release: string;
  },
  build: readonly string[],
  findings: CatalogFindings,
): void {
  const { name, packageName, version, release } = own;
  const expected = `${packageName}-v${version}-${release}`;
  if (build.length > 0)
    findings.add(
      'catalog/invalid-version',
      place,
      `bundle ${name}: ${version} has build metadata, which a version with a release cannot have`,
      `remove +${build.join('.')} from the version`,
    );
  else if (name !== expected)
    findings.add(
      'catalog/bundle-name',
      [place[0], ['name']],
      `the name of a bundle with a release: expected ${expected}, got ${JSON.stringify(name)}`,
      `write name: ${expected}`,
    );
}

function checkImages(
  source: DocumentSource,
  { name = '', image = '', properties = [], relatedImages = [] }: BundleDocument,
  findings: CatalogFindings,
): void {
  const hasObjects = properties.some(({ type }) => type === 'olm.bundle.object');
  if (image === '' && !hasObjects)
    findings.add(
      'catalog/invalid-image',
      [source, ['image']],
      `bundle ${name} has no image`,
      'write the image of the bundle',
    );
  const all: (readonly [string, readonly (string | number)[]])[] = [[image, ['image']]];
  for (const [index, related] of relatedImages.entries())
    all.push([related.image ?? '', ['relatedImages', index, 'image']]);
  for (const [text, path] of all) {
    const problem = text === '' ? undefined : imageNameProblem(text);
    if (problem === undefined) continue;
    findings.add(
      'catalog/invalid-image',
      [source, path],
      `bundle ${name}: invalid image ${JSON.stringify(text)}: ${problem}`,
      'write the name of an image, with a digest',
    );
  }
}
