import type { CustomResource } from 'opsdk';

/** @displayName A type */
interface Part {
  /** @displayName Without a descriptor */
  name: string;
  /**
   * @descriptor spec urn:alm:descriptor:com.tectonic.ui:podCuont
   * @descriptor status
   */
  size: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** @descriptor status */
    part: Part;
    /** @descriptor spec podCount urn:alm:descriptor:com.tectonic.ui:select */
    count: string;
    records: Record<
      string,
      {
        /** @descriptor spec */
        inside: string;
      }
    >;
    /**
     * @descriptor spec urn:example.com:mine
     * @allow schema/unknown-x-descriptor Our own user interface knows it.
     */
    mine: string;
  };
}
