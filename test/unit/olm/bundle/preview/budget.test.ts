// What a page weighs, beside what a bundle brings.
import { expect, test } from 'vitest';
import { previewSite } from '../../../../../src/olm/bundle/preview/preview-site.ts';
import { validateBundle } from '../../../../../src/olm/bundle/index.ts';
import { hubFolder } from '../publish/hub-bundle.ts';

test('the page of a small bundle, with style and script, is less than 150 kB', async () => {
  const { files } = await previewSite([await validateBundle('bundle', { cwd: hubFolder() })], true);
  expect([...files.keys()]).toEqual(['index.html', 'page.css', 'page.js']);
  expect(Buffer.byteLength([...files.values()].join(''))).toBeLessThan(150_000);
});
