import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoText } from '../../../base/util/fs.ts';
import { fieldAt, mapOf, textsOf } from './fields.ts';
import { annotationText } from './annotations.ts';
import type { BundleObject, Complain, Settings } from './types.ts';

/** The capability levels, from the least to the most capable. */
export const capabilityLevels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/** Reports an unknown level in the annotation `capabilities`. Source: operator-framework/api `standardcapabilities.go`. */
export function reportCapabilities(
  csv: BundleObject,
  { error }: { readonly error: Complain<'bundle/capability-level'> },
): void {
  const annotations = mapOf(fieldAt(csv.value, 'metadata', 'annotations'));
  if (!('capabilities' in annotations)) return;
  const level = annotationText(annotations['capabilities']) ?? '';
  if (capabilityLevels.includes(level)) return;
  error(
    'bundle/capability-level',
    [csv, ['metadata', 'annotations', 'capabilities']],
    `the capability level is ${JSON.stringify(level)}; expected one of ${capabilityLevels.join(', ')}`,
    'write one of them',
  );
}

const standard = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'Observability',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

/**
 * Reports unknown categories in the annotation `categories`, which lists names separated by commas. Source: operator-framework/api
 * `standardcategories.go`.
 */
export async function reportCategories(
  csv: BundleObject,
  { error }: { readonly error: Complain<'bundle/category'> },
  { categoriesFile, cwd }: Settings,
): Promise<void> {
  const annotations = mapOf(fieldAt(csv.value, 'metadata', 'annotations'));
  if (!('categories' in annotations)) return;
  const place = [csv, ['metadata', 'annotations', 'categories']] as const;
  const known = categoriesFile === '' ? standard : await readCategories(resolve(cwd, categoriesFile));
  if (typeof known === 'string') {
    const message = `the categories of ${categoriesFile} cannot be read: ${known}`;
    error(
      'bundle/category',
      place,
      message,
      'correct OPERATOR_BUNDLE_CATEGORIES, or the file: {"categories": [names]}',
    );
    return;
  }
  for (const category of (annotationText(annotations['categories']) ?? '').split(',')) {
    if (known.includes(category.trim())) continue;
    const message = `unknown category ${JSON.stringify(category)}; expected one of ${known.join(', ')}`;
    error('bundle/category', place, message, 'write one of them, with commas between several');
  }
}

async function readCategories(path: string): Promise<readonly string[] | string> {
  try {
    return textsOf(mapOf(JSON.parse(await readFile(path, 'utf8')))['categories']);
  } catch (error) {
    return error instanceof SyntaxError ? error.message : errnoText(error);
  }
}
