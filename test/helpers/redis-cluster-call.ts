import type { RedisAdmin } from '../../examples/redis-operator/src/redis/redis-admin.ts';
import type { RespValue } from '../../examples/redis-operator/src/redis/resp.ts';

/** Sends a command about a key to the node of a Redis cluster that has it. @param host address of any of its nodes */
export async function callOwner(
  admin: RedisAdmin,
  host: string,
  ...words: readonly string[]
): Promise<RespValue> {
  for (let attempt = 0; ; attempt++)
    try {
      return await admin.call(host, ...words);
    } catch (error) {
      const [, moved] = /MOVED \d+ (\S+):\d+/.exec(String(error)) ?? [];
      if (moved === undefined || attempt > 3) throw error;
      host = moved;
    }
}
