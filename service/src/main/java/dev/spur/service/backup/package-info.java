/**
 * Recovery of a replica whose database was restored from an export. No number is assigned twice, and the scheduler
 * starts nothing before executors have had time to report their running jobs. The format of export files is not part of
 * this package.
 */
@NullMarked
package dev.spur.service.backup;

import org.jspecify.annotations.NullMarked;
