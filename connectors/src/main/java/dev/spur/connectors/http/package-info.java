/** HTTP calls to platforms, bounded in time and size. */
@NullMarked
package dev.spur.connectors.http;

import org.jspecify.annotations.NullMarked;
