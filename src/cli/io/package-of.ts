import { isOptionalPackage, optionalNames, type OptionalPackage } from '../../config/optional-package.js';
import { unknownName } from '../../errors/nearest-name.js';
import { StartError } from '../../errors/start-error.js';

/** The package that a word of a command line means. @throws StartError with the names that there are */
export function packageOf(word: string): OptionalPackage {
  const name = word.replace(/^@content-service\//, '');
  if (!isOptionalPackage(name)) throw new StartError(unknownName(word, 'package', optionalNames));
  return name;
}
