import { dirname, extname, join, resolve } from 'node:path';
import { bundleDockerfile } from '../../../olm/bundle/metadata.ts';
import { previewSite, type PreviewSite } from '../../../olm/bundle/preview/preview-site.ts';
import type { ValidatorName } from '../../../olm/bundle/validate/rules/validators.ts';
import { isOpSdkError } from '../../../base/errors/index.ts';
import { formatFindings } from '../../../base/errors/format.ts';
import { PageServer, type EventStream, type PageAnswer } from '../../../base/pages/index.ts';
import { observe, type Observations } from '../../../base/util/observe-files.ts';
import { nextChange } from '../../../base/util/watch-observed.ts';
import type { CliContext } from '../../command.ts';
import type { Reporter } from '../../ui/reporter.ts';
import { lookBelow } from '../dev/look-below.ts';
import { judgeAll } from './judge-all.ts';

/**
 * Serves the preview of bundles, and makes it again after each change of them, until the command is ended.
 * @throws OpSdkError `bundle/not-a-folder` at the start; later the last pages stay
 */
export async function servePreview(
  context: Pick<CliContext, 'cwd' | 'report' | 'signal'>,
  dirs: readonly string[],
  optional: readonly ValidatorName[] = [],
): Promise<{ readonly url: string; readonly changes: number }> {
  const { cwd, report, signal } = context;
  let seen = lookAt(cwd, dirs);
  const make = async (): Promise<PreviewSite> => previewSite(await judgeAll(cwd, dirs, optional), true);
  let site = await make();
  let changes = 0;
  const pages = new Set<EventStream>();
  const server = await PageServer.open({
    answer: ({ path }) =>
      path === 'stream' ? { stream: (page) => follow(pages, page, site.state) } : fileOf(site, path),
  });
  try {
    report.step(`the page is at ${server.url}`);
    while (await hasChanged(seen, signal)) {
      seen = lookAt(cwd, dirs);
      const next = await makeAgain(report, make);
      if (next === undefined || next.state === site.state) continue;
      site = next;
      changes += 1;
      report.step('the bundle has changed');
      for (const page of pages) page.send(site.state);
    }
    return { url: server.url, changes };
  } finally {
    await server.close();
  }
}

/** Everything that `bundle validate` reads; undefined if it changed meanwhile. */
function lookAt(cwd: string, dirs: readonly string[]): Observations | undefined {
  const looks = observe();
  for (const dir of dirs.map((each) => resolve(cwd, each))) {
    for (const part of ['manifests', 'metadata', 'tests']) lookBelow(looks.view, join(dir, part));
    for (const folder of [dir, dirname(dir)]) looks.view.readFile(join(folder, bundleDockerfile));
  }
  return looks.observations();
}

async function hasChanged(seen: Observations | undefined, signal: AbortSignal): Promise<boolean> {
  return seen === undefined ? !signal.aborted : nextChange(seen, signal);
}

/** A bundle that is being replaced has no folder for a moment. */
async function makeAgain(
  report: Reporter,
  make: () => Promise<PreviewSite>,
): Promise<PreviewSite | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    report.warned(formatFindings(error.findings));
    return undefined;
  }
}

/** Tells a page which state is shown now, so that one that was away while it changed reloads. */
function follow(pages: Set<EventStream>, page: EventStream, state: string): () => void {
  pages.add(page);
  page.send(state);
  return () => pages.delete(page);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

function fileOf({ files }: PreviewSite, path: string): PageAnswer | undefined {
  const name = path === '' ? 'index.html' : path;
  const body = files.get(name);
  const type = types[extname(name)];
  return body === undefined || type === undefined ? undefined : { type, body };
}
