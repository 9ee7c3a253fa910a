// placeholder
export class Drawer {
  constructor() {}
  hear() {}
}
