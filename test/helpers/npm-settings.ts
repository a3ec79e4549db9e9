import { run } from '../../scripts/lib/run.mjs';

/** The cache and the registry of npm on this machine, for the environment of an npm whose home is empty. */
export async function npmSettings(): Promise<{ npm_config_cache: string; npm_config_registry: string }> {
  const setting = async (key: string): Promise<string> =>
    (await run('npm', ['config', 'get', key], { capture: true })).output.trim();
  return { npm_config_cache: await setting('cache'), npm_config_registry: await setting('registry') };
}
