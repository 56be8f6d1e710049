/** Who changed what: a row for each change, written in the transaction of the change and never touched again. */
@NullMarked
package dev.spur.service.audit;

import org.jspecify.annotations.NullMarked;
