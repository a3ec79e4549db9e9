import type { Condition, CustomResource, DateTime, Int32, IntOrString, ListMap } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * How many.
     * @printerColumn
     */
    replicas?: Int32;
    nested: {
      /** @printerColumn Max Surge priority=1 */
      maxSurge?: IntOrString;
      /** @printerColumn "Paused" */
      paused?: boolean;
    };
  };
  status?: {
    /** @printerColumn Since */
    startTime?: DateTime;
    /** @printerColumn priority=2 */
    phase?: 'Pending' | 'Running';
    conditions?: ListMap<Condition, 'type'>;
  };
}
