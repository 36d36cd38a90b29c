/** Eight colours that the colour-blind can tell apart [Okabe & Ito 2008], those with more contrast on white first. */
export const okabeIto = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#000000",
  "#e69f00",
  "#56b4e9",
  "#f0e442",
] as const;
