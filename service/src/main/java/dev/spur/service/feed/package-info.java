/** Feeds of the events of jobs and plans: the stored log in its order of commits, and streams of server-sent events. */
@NullMarked
package dev.spur.service.feed;

import org.jspecify.annotations.NullMarked;
