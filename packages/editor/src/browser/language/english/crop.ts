/** The sentences of the dialog that crops images. */
export const crop = {
  crop: 'Crop…',
  title: 'Crop as a new file',
  hint: 'Drag over the image, or type. This file stays as it is.',
  area: { x: 'Left', y: 'Top', width: 'Width', height: 'Height' },
  save: 'Save as a new file',
  saved: 'The new file is in the library.',
  unreadable: 'The browser may not read this image: the server that stores it does not allow it.',
  focus: {
    title: 'Focal point',
    hint: 'Click on what has to stay in sight where the image is cut.',
    x: 'From the left, %',
    y: 'From the top, %',
  },
};
