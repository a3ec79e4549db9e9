import type { CustomResource } from 'opsdk';

interface Level0 {
  left: Level1;
  right: Level1;
}
interface Level1 {
  left: Level2;
  right: Level2;
}
interface Level2 {
  left: Level3;
  right: Level3;
}
interface Level3 {
  left: Level4;
  right: Level4;
}
interface Level4 {
  left: Level5;
  right: Level5;
}
interface Level5 {
  left: Level6;
  right: Level6;
}
interface Level6 {
  left: Level7;
  right: Level7;
}
interface Level7 {
  left: Level8;
  right: Level8;
}
interface Level8 {
  left: Level9;
  right: Level9;
}
interface Level9 {
  left: Level10;
  right: Level10;
}
interface Level10 {
  left: Level11;
  right: Level11;
}
interface Level11 {
  left: Level12;
  right: Level12;
}
interface Level12 {
  left: Level13;
  right: Level13;
}
interface Level13 {
  left: Level14;
  right: Level14;
}
interface Level14 {
  left: Level15;
  right: Level15;
}
interface Level15 {
  left: Level16;
  right: Level16;
}
interface Level16 {
  left: Level17;
  right: Level17;
}
interface Level17 {
  left: Level18;
  right: Level18;
}
interface Level18 {
  left: Level19;
  right: Level19;
}
interface Level19 {
  left: Level20;
  right: Level20;
}
interface Level20 {
  left: Level21;
  right: Level21;
}
interface Level21 {
  left: Level22;
  right: Level22;
}
interface Level22 {
  left: Level23;
  right: Level23;
}
interface Level23 {
  left: Level24;
  right: Level24;
}
interface Level24 {
  left: Level25;
  right: Level25;
}
interface Level25 {
  left: Level26;
  right: Level26;
}
interface Level26 {
  left: Level27;
  right: Level27;
}
interface Level27 {
  left: Level28;
  right: Level28;
}
interface Level28 {
  left: Level29;
  right: Level29;
}
interface Level29 {
  left: Level30;
  right: Level30;
}
interface Level30 {
  name: string;
}

interface Spec {
  size: string;
  levels: Level0[];
}

export interface Sample extends CustomResource {
  spec: Spec;
}
