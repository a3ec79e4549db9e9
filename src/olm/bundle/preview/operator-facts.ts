import type { TemplateModel } from '../../../project/scaffold/index.ts';
import { webAddress } from '../../../base/pages/index.ts';
import { annotationText } from '../validate/annotations.ts';
import { capabilityLevels } from '../validate/standard-values.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../validate/fields.ts';
import type { LoadedBundle, BundleObject } from '../validate/types.ts';
import { iconMediaType } from '../icon-format.ts';

/** Title, summary and icon of an operator, shown on its page and in lists. */
interface OperatorTitle {
  readonly title: string;
  readonly subtitle: string;
  readonly summary: string;
  /** URL of the icon; `''` without an icon. */
  readonly icon: string;
  readonly hasIcon: boolean;
}

/** Returns the title, summary and icon for an operator. @param dir title of a bundle without a ClusterServiceVersion */
export function operatorTitle(bundle: LoadedBundle | undefined, dir: string): OperatorTitle {
  const csv = bundle?.csv;
  if (csv === undefined) return { title: dir, subtitle: '', summary: '', icon: '', hasIcon: false };
  const text = (...path: readonly string[]): string => textOf(fieldAt(csv.value, 'spec', ...path));
  const provider = text('provider', 'name');
  const icon = iconAddress(csv);
  return {
    title: text('displayName') || csv.name || dir,
    subtitle: [csv.name, ...(provider === '' ? [] : [`provided by ${provider}`])].join(', '),
    summary: annotation(csv, 'description'),
    ...{ icon, hasIcon: icon !== '' },
  };
}

/** Returns the facts that are listed beside the description of an operator, such as its version. */
export function operatorFacts(csv: BundleObject | undefined): TemplateModel {
  if (csv === undefined) return { levels: [], facts: [], lists: [] };
  const spec = mapOf(csv.value['spec']);
  const modes = listOf(spec['installModes'])
    .map(mapOf)
    .filter(({ supported }) => supported === true);
  const facts = [
    ['Version', textOf(spec['version'])],
    ['Maturity', textOf(spec['maturity'])],
    ['Categories', annotation(csv, 'categories')],
    ['Keywords', textsOf(spec['keywords']).join(', ')],
    ['Install modes', modes.map(({ type }) => textOf(type)).join(', ')],
    ['Kubernetes', minKubeVersion(textOf(spec['minKubeVersion']))],
    ['Image', annotation(csv, 'containerImage')],
    ['Created', annotation(csv, 'createdAt')],
    ['Support', annotation(csv, 'support')],
  ] as const;
  const repository = annotation(csv, 'repository');
  const links = listOf(spec['links']).map(mapOf);
  const maintainers = listOf(spec['maintainers']).map(mapOf);
  const lists = [
    ['Repository', repository === '' ? [] : [linkTo(repository, repository)]],
    ['Links', links.map(({ name, url }) => linkTo(textOf(name) || textOf(url), textOf(url)))],
    [
      'Maintainers',
      maintainers.map(({ name, email }) => linkTo(textOf(name) || textOf(email), `mailto:${textOf(email)}`)),
    ],
  ] as const;
  return {
    levels: levelsOf(annotation(csv, 'capabilities')),
    facts: facts.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value })),
    lists: lists.filter(([, items]) => items.length > 0).map(([name, items]) => ({ name, items })),
  };
}

function annotation(csv: BundleObject, key: string): string {
  return annotationText(fieldAt(csv.value, 'metadata', 'annotations', key)) ?? '';
}

function minKubeVersion(version: string): string {
  return version === '' ? '' : `${version} or newer`;
}

/** Returns a link; if the target is unsafe, returns it as text instead. */
function linkTo(text: string, target: string) {
  const address = webAddress(target);
  const shown = address === undefined && text !== target ? `${text} (${target})` : text;
  return { text: shown || '(no name)', address: address ?? '', hasAddress: address !== undefined };
}

function levelsOf(level: string) {
  const reached = capabilityLevels.indexOf(level);
  return capabilityLevels.map((name, index) => ({
    name,
    state: index <= reached ? 'reached' : 'open',
    note: index === reached ? 'this operator' : '',
  }));
}

/**
 * Returns the icon of an operator as the URL of an image. An SVG that is shown as an image runs no script and loads nothing.
 * @returns `''` without an icon that catalogues would show
 */
function iconAddress(csv: BundleObject): string {
  const content = Buffer.from(textOf(fieldAt(csv.value, 'spec', 'icon', 0, 'base64data')), 'base64');
  const type = iconMediaType(content);
  return type === undefined ? '' : `data:${type};base64,${content.toString('base64')}`;
}
