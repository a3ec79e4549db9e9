// Real software for the stories of operators of databases.
import { ensureEtcd, ensureRedis } from '../lib/test-programs.mjs';

const etcdVersion = '3.6.8';

const software = {
  etcd: async () => ({ folder: await ensureEtcd(etcdVersion), version: etcdVersion }),
  redis: async () => ({ folder: await ensureRedis() }),
};

/**
 * Obtains the software of a story, and edits the project for it.
 * @param {import('./stories.mjs').Story} story
 * @param {string} project folder of the project
 * @returns {Promise<readonly string[]>} folders that come first in the PATH
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain something
 */
export async function prepareStory({ programs = [], prepare }, project) {
  const found = {};
  for (const name of programs) found[name] = await software[name]();
  prepare?.(project, found);
  return Object.values(found).map(({ folder }) => folder);
}
