import type { Loose } from '../objects.ts';
import { siteBundle } from '../scorecard/site-bundle.ts';
import { writeBundle } from '../validate/bundle-folder.ts';

/** A bundle that the catalogue of OperatorHub.io takes. Tests change it. */
export function hubBundle(): Loose {
  const bundle = siteBundle();
  Object.assign(bundle.csv.spec, {
    description: 'Runs sites of many kinds.',
    provider: { name: 'Example Inc.' },
    maintainers: [{ name: 'Jo Doe', email: 'jo@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/docs' }],
    icon: [{ base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' }],
  });
  return bundle;
}

/** Writes the bundle, changed, until the end of the test. @returns the folder around `bundle` */
export function hubFolder(change: (bundle: Loose) => void = () => undefined): string {
  const bundle = hubBundle();
  change(bundle);
  return writeBundle(bundle);
}
