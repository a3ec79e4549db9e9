import type { ControllerClient } from 'opsdk';
import { ConfigMap, Secret } from 'opsdk/k8s/core/v1';
import { Assets, type AssetData, type AssetObject } from '../config/assets.ts';

/**
 * Renders a configuration with the Secrets and ConfigMaps that it refers to. They are read from the API server when they are needed: the cache
 * does not hold the data of all Secrets.
 *
 * @param render is called again until it asks for nothing that is not known
 */
export async function renderWithAssets<T>(
  client: ControllerClient,
  folder: string,
  render: (assets: Assets) => T,
): Promise<T> {
  const assets = new Assets(folder);
  for (;;) {
    const rendered = render(assets);
    if (assets.unread.length === 0) return rendered;
    for (const object of assets.unread) assets.set(object, await dataOf(object, client));
  }
}

async function dataOf({ kind, ...key }: AssetObject, client: ControllerClient): Promise<AssetData> {
  if (kind === 'ConfigMap') {
    const configMap = await client.live.find(ConfigMap, key);
    return configMap && (configMap.data ?? {});
  }
  const secret = await client.live.find(Secret, key);
  return (
    secret &&
    Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([name, data]) => [
        name,
        Buffer.from(data, 'base64').toString('utf8'),
      ]),
    )
  );
}
