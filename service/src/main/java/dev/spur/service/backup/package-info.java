/**
 * What a replica does when it finds that its database was restored from an export: no number is given twice, and
 * nothing is started before executors have had time to say what they still run. Files of exports are not known here.
 */
@NullMarked
package dev.spur.service.backup;

import org.jspecify.annotations.NullMarked;
