import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @descriptor */
    without: string;
    /** @descriptor urn:alm:descriptor:com.tectonic.ui:text */
    part: string;
    /** @descriptor spec order=first */
    order: string;
    /**
     * @descriptor spec order=1
     * @descriptor spec
     */
    twice: string;
    /** @displayName */
    name: string;
    /** @descriptor spec urn:alm:descriptor:text urn:alm:descriptor:text */
    same: string;
    /** @items.descriptor spec */
    list: string[];
    /** @descripter spec */
    typo: string;
  };
}
