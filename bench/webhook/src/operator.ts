import { createManager, defineController, operatorMain, type AnyWebhook, type HubConversion } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';

/**
 * Runs an operator with what it serves, which reconciles the ConfigMaps of its namespace (WATCH_NAMESPACE) without doing anything. Says "reconciled all" after OBJECTS
 * reconciles.
 */
export async function run(served: readonly (AnyWebhook | HubConversion)[]): Promise<void> {
  let left = Number(process.env['OBJECTS'] ?? 0);
  await operatorMain(async ({ flags, signal }) => {
    const manager = await createManager({ name: 'bench-webhook', ...flags });
    manager.add(
      defineController({
        for: ConfigMap,
        reconcile() {
          left -= 1;
          if (left === 0) process.stdout.write('reconciled all\n');
        },
      }),
    );
    for (const each of served) manager.add(each);
    await manager.run({ signal });
  });
}
