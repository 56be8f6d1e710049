/** What somebody elsewhere needs to see what went wrong here. */
@NullMarked
package dev.spur.service.support;

import org.jspecify.annotations.NullMarked;
