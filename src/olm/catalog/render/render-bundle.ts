import {
  shapeProblems,
  fieldAt,
  listOf,
  mapOf,
  textOf,
  collectFindings,
  type FindingCollector,
  countedErrors,
  loadBundle,
  type BundleObject,
  type LoadedBundle,
} from '../../bundle/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import { CatalogFindings } from '../findings.ts';
import { checkDocument } from '../read/read-catalog.ts';
import { bundleDocument } from './bundle-document.ts';

/** A bundle as it is in a catalogue, and the bundle itself. */
export interface CatalogueBundle {
  readonly document: JsonMap;
  readonly bundle: LoadedBundle;
  readonly csv: BundleObject;
}

/** The names that the image of a bundle in a folder may be made from, as in opm's templates. */
const placeholders = /\{\{ *\.(Package|Name|Version) *\}\}/g;

/**
 * Renders a bundle.
 * @param image of the bundle; `{{.Package}}`, `{{.Name}}` and `{{.Version}}` in it are replaced
 * @throws OpSdkError with all findings: what OLM could not read of the bundle, and what the catalogue could not hold
 */
export async function renderCatalogBundle(folder: Place, image: string): Promise<CatalogueBundle> {
  const collector = collectFindings();
  const bundle = await loadBundle(folder.path, folder.shown, collector);
  const csv = bundle?.csv;
  if (bundle !== undefined) checkCsv(bundle, collector);
  const findings = new FindingList();
  findings.add(...countedErrors(collector.finish()));
  findings.throwIfAny();
  // Each of them is missing only after a finding.
  if (bundle === undefined || csv === undefined) throw new TypeError('an incomplete bundle has no findings');
  const named = bundleDocument(bundle, csv, '');
  const values: Readonly<Record<string, string>> = {
    Package: textOf(named['package']),
    Name: csv.name,
    Version: textOf(fieldAt(csv.value, 'spec', 'version')),
  };
  const own = image.replace(placeholders, (_text, name: string) => values[name] ?? '');
  const document = bundleDocument(bundle, csv, own);
  await checkRendered(document, csv);
  return { document, bundle, csv };
}

function checkCsv(bundle: LoadedBundle, collector: FindingCollector): void {
  const { csv, crds, dir, annotations } = bundle;
  const { error } = collector.of('format');
  if (annotations === undefined)
    error(
      'bundle/no-annotations',
      { file: `${dir}/metadata` },
      `${dir}/metadata has no annotations`,
      'create the bundle with `op-sdk generate bundle`',
    );
  if (csv === undefined) {
    collector
      .of('content')
      .error(
        'bundle/no-csv',
        { file: `${dir}/manifests` },
        `${dir}/manifests has no ClusterServiceVersion`,
        'create the bundle with `op-sdk generate bundle`',
      );
    return;
  }
  for (const { kind, path, message, fix } of shapeProblems(csv))
    if (kind === 'type') error('bundle/invalid-field', [csv, path], message, fix);
  const provided = new Set(
    crds.flatMap(({ name, value }) =>
      listOf(fieldAt(value, 'spec', 'versions')).map(
        (version) => `${name} ${textOf(mapOf(version)['name'])}`,
      ),
    ),
  );
  const path = ['spec', 'customresourcedefinitions', 'owned'];
  for (const [index, owned] of listOf(fieldAt(csv.value, ...path)).entries()) {
    const [name, version] = [textOf(mapOf(owned)['name']), textOf(mapOf(owned)['version'])];
    if (provided.has(`${name} ${version}`) || crds.some((crd) => isOld(crd, name))) continue;
    collector
      .of('bundle')
      .error(
        'bundle/owned-crd-missing',
        [csv, [...path, index]],
        `the bundle has no CustomResourceDefinition ${name} with the version ${version}`,
        'add it to manifests/, or remove it from the ClusterServiceVersion',
      );
  }
}

/** v1beta1, whose only version may be beside the list. */
function isOld({ apiVersion, name }: BundleObject, owned: string): boolean {
  return apiVersion.endsWith('v1beta1') && name === owned;
}

/** The rules of catalogues, found in the ClusterServiceVersion. */
async function checkRendered(document: JsonMap, { file }: BundleObject): Promise<void> {
  const findings = new CatalogFindings();
  const source = { path: '', file, start: 0, length: 0, line: 1 };
  checkDocument({ source, schema: 'olm.bundle', value: document }, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all.map((finding) => ({ ...finding, where: { file } })));
}
