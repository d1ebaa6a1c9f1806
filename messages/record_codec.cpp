#include "messages/record_codec.hpp"
