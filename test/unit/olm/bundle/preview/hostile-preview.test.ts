// Texts of bundles that are made to run, to load something, or to break the page.
import { expect, test } from 'vitest';
import { previewSite } from '../../../../../src/olm/bundle/preview/preview-site.ts';
import { validateBundle, type BundleVerdict } from '../../../../../src/olm/bundle/index.ts';
import { escapeHtml } from '../../../../../src/base/util/words.ts';
import { twoVersions } from './shown-bundle.ts';
import { hostileTexts, withTexts } from './hostile-texts.ts';

async function shown(
  change: (csv: Readonly<Record<string, unknown>>) => unknown,
): Promise<readonly string[]> {
  const cwd = twoVersions();
  const verdicts: BundleVerdict[] = [];
  for (const dir of ['v1', 'v2']) {
    const verdict = await validateBundle(dir, { cwd });
    const { bundle } = verdict;
    if (bundle?.csv === undefined) throw new TypeError('the bundle has no ClusterServiceVersion');
    const value = change(bundle.csv.value) as Readonly<Record<string, unknown>>;
    verdicts.push({ ...verdict, bundle: { ...bundle, csv: { ...bundle.csv, value } } });
  }
  const { files } = await previewSite(verdicts, true);
  return [...files].filter(([name]) => name.endsWith('.html')).map(([, html]) => html);
}

/** The tags of a page, with their attributes. Between the tags of our own templates and of the sanitiser, `<` is always an entity. */
const tagsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];

test.each(hostileTexts.map((text) => [text]))('%j in every text of a bundle does nothing', async (text) => {
  const plain = new Set((await shown((csv) => csv)).flatMap(tagsOf).map(nameOf));
  const pages = await shown((csv) => withTexts(csv, text));
  expect(pages.join('').split(escapeHtml(text)).length).toBeGreaterThan(50);
  for (const html of pages) {
    for (const tag of tagsOf(html)) {
      expect([...plain, '<a', '<p', '</p', '<pre', '<code']).toContain(nameOf(tag));
      expect(withoutValues(tag)).not.toMatch(/\s(?:on\w+|style|srcdoc|formaction)\s*=/i);
      for (const [, address = ''] of tag.matchAll(/\s(?:href|src)="([^"]*)"/g))
        expect(address).toMatch(
          /^(?:https?:|mailto:|data:image\/|data:,|#main$|index\.html$|page\.(?:css|js)$|[\w.-]+\.html$)/,
        );
    }
    // Pictures come from the bundle alone.
    for (const tag of tagsOf(html).filter((each) => each.startsWith('<img')))
      expect(tag).toContain('src="data:image/');
  }
});

const nameOf = (tag: string): string => /^<\/?[a-z\d]*!?/i.exec(tag)?.[0] ?? tag;
const withoutValues = (tag: string): string => tag.replaceAll(/"[^"]*"/g, '""');
